// A worker that reads one host repeatedly and reports its longest wait since the last report.

import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from '../load-generator.ts';
import { createAdminRequest } from './requests.ts';

const { url, path } = workerData as { readonly url: string; readonly path: string };
const PAUSE_MS = 1;

const connection = new Connection(new URL(url));
let longestMs = 0;
/** The running request is part of the requested report. */
let isRequested = false;
parentPort?.on('message', () => {
  isRequested = true;
});
for (;;) {
  const startedAt = performance.now();
  await connection.send(createAdminRequest('GET', path));
  longestMs = Math.max(longestMs, performance.now() - startedAt);
  if (isRequested) {
    parentPort?.postMessage(longestMs);
    [longestMs, isRequested] = [0, false];
  }
  await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
}
