// Preloaded into a server process. Reports the event loop delay or the memory usage on request.

import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const NS_PER_MS = 1e6;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', request => {
  if (request === 'memory') {
    globalThis.gc?.();
    process.send?.(process.memoryUsage());
    return;
  }
  // The delay includes the sampling interval.
  process.send?.(Math.max(0, delay.percentile(99) / NS_PER_MS - RESOLUTION_MS));
  delay.reset();
});
process.channel?.unref();
