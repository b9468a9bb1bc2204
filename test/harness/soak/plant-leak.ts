// Loaded into a server: it loses a tenth of a megabyte ten times a second, and an open file every second. A soak must find both.

import { openSync } from 'node:fs';

/** Eight bytes each. */
const NUMBERS = 12_500;
const OFTEN_MS = 100;
const FILE_EVERY_MS = 1000;

const lost: unknown[] = [];

setInterval(() => lost.push(new Array(NUMBERS).fill(lost.length + 0.5)), OFTEN_MS).unref();
setInterval(() => lost.push(openSync('/dev/null', 'r')), FILE_EVERY_MS).unref();
