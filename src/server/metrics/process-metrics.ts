// Metrics of the process. They use the names of the Prometheus client for Node, which existing dashboards use.

import { readdirSync, readFileSync } from 'node:fs';
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { isRecord } from '../../lib/json.ts';
import type { Gauge } from './instruments.ts';
import { counter, gauge, histogram, info } from './metric.ts';
import type { Registry } from './registry.ts';

const RESOLUTION_MS = 10;
/** A result covers between one and two windows. */
const WINDOW_MS = 15_000;

const NO_DELAY = { median: 0, p99: 0, max: 0 };

/** The histogram contains the time between two timers. The delay is the time beyond the resolution. */
const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);

const readDelays = (histogram: ReturnType<typeof monitorEventLoopDelay>) =>
  histogram.count === 0
    ? NO_DELAY
    : {
        median: seconds(histogram.percentile(50)),
        p99: seconds(histogram.percentile(99)),
        max: seconds(histogram.max),
      };

/** The delay of timers on the event loop. Reads do not affect each other. */
class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #monotonicMs: () => number;
  #previous = NO_DELAY;
  #sinceMs: number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.#sinceMs = monotonicMs();
    this.#histogram.enable();
  }

  read(): typeof NO_DELAY {
    const now = readDelays(this.#histogram);
    const previous = this.#previous;
    if (this.#monotonicMs() - this.#sinceMs >= WINDOW_MS) {
      this.#previous = now;
      this.#sinceMs = this.#monotonicMs();
      this.#histogram.reset();
    }
    return {
      median: Math.max(now.median, previous.median),
      p99: Math.max(now.p99, previous.p99),
      max: Math.max(now.max, previous.max),
    };
  }

  stop(): void {
    this.#histogram.disable();
  }
}

const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

export const PROCESS_METRICS = {
  build: info(
    'hostler_build_info',
    'Versions of Hostler and Node, and the newest schema migration that this version contains.',
    {
      version: { description: 'the version of Hostler' },
      node: { description: 'the version of Node' },
      schema: { description: 'the name of the newest migration' },
    },
  ),
  certificate: gauge(
    'hostler_tls_certificate_expiry_timestamp_seconds',
    'Expiry time of the TLS certificate in use, in seconds since 1970. Not exported without a certificate.',
  ),
  cpu: counter('process_cpu_seconds_total', 'User and system CPU time of the process, in seconds.'),
  start: gauge('process_start_time_seconds', 'Start time of the process, in seconds since 1970.'),
  resident: gauge('process_resident_memory_bytes', 'Resident memory of the process, in bytes.'),
  openFiles: gauge('process_open_fds', 'Open file descriptors. Exported only on Linux.'),
  maxFiles: gauge('process_max_fds', 'Maximum number of open file descriptors. Exported only on Linux.'),
  heapUsed: gauge('nodejs_heap_size_used_bytes', 'Used heap size, in bytes.'),
  heapTotal: gauge('nodejs_heap_size_total_bytes', 'Total heap size, in bytes.'),
  external: gauge('nodejs_external_memory_bytes', 'Memory outside the heap, such as buffers, in bytes.'),
  resources: gauge(
    'nodejs_active_resources',
    'Active resources that keep the process alive, such as connections and timers.',
    { type: { description: 'the type of a Node resource, about 20 values' } },
  ),
  loopActive: counter(
    'nodejs_eventloop_active_seconds_total',
    'Time in which the event loop was not idle, in seconds. Its rate is between 0 and 1.',
  ),
  loopMedian: gauge('nodejs_eventloop_lag_p50_seconds', 'Event loop delay in the last 15 to 30 seconds: median.'),
  loopP99: gauge('nodejs_eventloop_lag_p99_seconds', 'Event loop delay in the last 15 to 30 seconds: 99th percentile.'),
  loopMax: gauge('nodejs_eventloop_lag_max_seconds', 'Event loop delay in the last 15 to 30 seconds: maximum.'),
  gc: histogram(
    'nodejs_gc_duration_seconds',
    'Duration of garbage collection pauses.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    { kind: Object.values(GC_KINDS) },
  ),
};

/** Parses /proc/self/limits. Returns `undefined` if the limit is `unlimited`. */
export function parseMaxFiles(limits: string): number | undefined {
  const [, soft] = /^Max open files +(\d+) /m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** Only Linux has /proc. */
function setFromProc(gauge: Gauge, read: () => number | undefined): void {
  try {
    const value = read();
    if (value !== undefined) gauge.set(value);
  } catch {
    // Not exported.
  }
}

function toGcKind(entry: object): string | undefined {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined;
  const kind: unknown = isRecord(detail) ? detail['kind'] : undefined;
  return typeof kind === 'number' ? GC_KINDS[kind] : undefined;
}

export function createProcessMetrics(registry: Registry, version: string, schema: string) {
  const metrics = registry.create(PROCESS_METRICS);
  metrics.build.set(1, version, process.version, schema);
  metrics.start.set(performance.timeOrigin / 1000);
  const delay = new EventLoopDelay(() => performance.now());
  const observer = new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      const kind = toGcKind(entry);
      if (kind !== undefined) metrics.gc.observe(entry.duration / 1000, kind);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  let previous = { cpuS: 0, activeS: 0 };
  return {
    setCertificateExpiry: (validTo: Date) => metrics.certificate.set(validTo.getTime() / 1000),
    read: () => {
      const { user, system } = process.cpuUsage();
      const now = { cpuS: (user + system) / 1e6, activeS: performance.eventLoopUtilization().active / 1000 };
      metrics.cpu.add(now.cpuS - previous.cpuS);
      metrics.loopActive.add(now.activeS - previous.activeS);
      previous = now;
      const memory = process.memoryUsage();
      metrics.resident.set(memory.rss);
      metrics.heapUsed.set(memory.heapUsed);
      metrics.heapTotal.set(memory.heapTotal);
      metrics.external.set(memory.external);
      setFromProc(metrics.openFiles, () => readdirSync('/proc/self/fd').length);
      setFromProc(metrics.maxFiles, () => parseMaxFiles(readFileSync('/proc/self/limits', 'utf8')));
      metrics.resources.clear();
      for (const type of process.getActiveResourcesInfo()) metrics.resources.add(1, type);
      const delays = delay.read();
      metrics.loopMedian.set(delays.median);
      metrics.loopP99.set(delays.p99);
      metrics.loopMax.set(delays.max);
    },
    stop: () => {
      observer.disconnect();
      delay.stop();
    },
  };
}
