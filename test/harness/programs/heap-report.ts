// Preloaded into the server with `--expose-gc`: on SIGUSR2 it prints the memory in bytes after garbage
// collection, and the number of loaded OpenTelemetry files. `ServerProcess` parses it.

import { setImmediate } from 'node:timers/promises';
import { countLoadedFiles } from './loaded-files.ts';

/** A collection can make further objects collectable. */
const COLLECTIONS = 6;

let reports = 0;

process.on('SIGUSR2', async () => {
  for (let count = 0; count < COLLECTIONS; count += 1) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, rss, external } = process.memoryUsage();
  reports += 1;
  const openTelemetryFiles = countLoadedFiles('@opentelemetry');
  const report = { heapUsed, rss, external, openTelemetryFiles };
  process.stdout.write(`heap report ${reports}: ${JSON.stringify(report)}\n`);
});
