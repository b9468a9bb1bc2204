// A worker that asks for one host again and again, and reports its longest wait since it was last asked for it.

import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from '../load-generator.ts';
import { createAdminRequest } from './requests.ts';

const { url, path } = workerData as { readonly url: string; readonly path: string };
const PAUSE_MS = 1;

const connection = new Connection(new URL(url));
let longestMs = 0;
/** Whether the longest wait is asked for; the request under way belongs to it. */
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
