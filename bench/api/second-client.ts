// A worker that asks for one host again and again, and reports its longest wait since it was last asked for it.

import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from '../load.ts';
import { authorized } from './requests.ts';

const { url, path } = workerData as { readonly url: string; readonly path: string };
const PAUSE_MS = 1;

const connection = new Connection(new URL(url));
let longestMs = 0;
/** Whether the longest wait is asked for; the request under way belongs to it. */
let isAsked = false;
parentPort?.on('message', () => {
  isAsked = true;
});
for (;;) {
  const startedAt = performance.now();
  await connection.send(authorized('GET', path));
  longestMs = Math.max(longestMs, performance.now() - startedAt);
  if (isAsked) {
    parentPort?.postMessage(longestMs);
    [longestMs, isAsked] = [0, false];
  }
  await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
}
