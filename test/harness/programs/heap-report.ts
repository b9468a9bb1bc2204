// Loaded into the service by `--import`, with `--expose-gc`: tells on SIGUSR2 what is left on the heap after a collection, and
// how much of OpenTelemetry was loaded.

import { setImmediate } from 'node:timers/promises';
import { loadedFiles } from './loaded-files.ts';

/** What one collection sets free may let the next one free more. */
const COLLECTIONS = 6;

let reports = 0;

process.on('SIGUSR2', async () => {
  for (let count = 0; count < COLLECTIONS; count += 1) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, rss, external } = process.memoryUsage();
  reports += 1;
  const traced = loadedFiles('@opentelemetry');
  process.stdout.write(
    `heap report ${reports}: ${heapUsed} of ${rss}, and ${external} beside it, ${traced} files of OpenTelemetry
`,
  );
});
