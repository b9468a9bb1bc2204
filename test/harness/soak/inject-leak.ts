// Preloaded into a server: leaks memory ten times a second, and open files. The import URL sets the amounts:
// `inject-leak.ts?mib_per_hour=20&files_per_hour=0`.

import { openSync } from 'node:fs';

const HOUR_MS = 3_600_000;
const BYTES_PER_MIB = 1024 ** 2;
const BYTES_PER_NUMBER = 8;
const INTERVAL_MS = 100;

const { searchParams } = new URL(import.meta.url);
const mibPerHour = Number(searchParams.get('mib_per_hour') ?? '3400');
const filesPerHour = Number(searchParams.get('files_per_hour') ?? '3600');

const leaked: unknown[] = [];
const numbers = Math.round((mibPerHour * BYTES_PER_MIB * INTERVAL_MS) / HOUR_MS / BYTES_PER_NUMBER);

setInterval(() => leaked.push(new Array(numbers).fill(leaked.length + 0.5)), INTERVAL_MS).unref();
if (filesPerHour > 0) setInterval(() => leaked.push(openSync('/dev/null', 'r')), HOUR_MS / filesPerHour).unref();
