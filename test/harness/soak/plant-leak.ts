// Loaded into a server: it loses memory ten times a second, and an open file now and then. A soak must find both. How much is in the
// address that it is loaded from: `plant-leak.ts?mib_per_hour=20&files_per_hour=0`.

import { openSync } from 'node:fs';

const HOUR_MS = 3_600_000;
const BYTES_PER_MIB = 1024 ** 2;
const BYTES_PER_NUMBER = 8;
const OFTEN_MS = 100;

const { searchParams } = new URL(import.meta.url);
const mibPerHour = Number(searchParams.get('mib_per_hour') ?? '3400');
const filesPerHour = Number(searchParams.get('files_per_hour') ?? '3600');

const lost: unknown[] = [];
const numbers = Math.round((mibPerHour * BYTES_PER_MIB * OFTEN_MS) / HOUR_MS / BYTES_PER_NUMBER);

setInterval(() => lost.push(new Array(numbers).fill(lost.length + 0.5)), OFTEN_MS).unref();
if (filesPerHour > 0)
  setInterval(() => lost.push(openSync('/dev/null', 'r')), HOUR_MS / filesPerHour).unref();
