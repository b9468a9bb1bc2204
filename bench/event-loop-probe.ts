// Loaded into a program before its own code: tells, when it is asked, by how much its event loop was late, or what memory it has.

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
  // The sampling interval is part of what is measured.
  process.send?.(Math.max(0, delay.percentile(99) / NS_PER_MS - RESOLUTION_MS));
  delay.reset();
});
process.channel?.unref();
