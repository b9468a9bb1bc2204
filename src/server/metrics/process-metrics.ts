// The process itself. Where Prometheus or its client for Node have a name for something, it is called by that: dashboards know it.

import { readdirSync, readFileSync } from 'node:fs';
import { constants, PerformanceObserver, performance } from 'node:perf_hooks';
import { isRecord } from '../../lib/is-record.ts';
import { EventLoopDelay } from './event-loop-delay.ts';
import { counter, gauge, histogram, info } from './metric.ts';
import type { Registry } from './registry.ts';

const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

export const PROCESS_METRICS = {
  build: info(
    'hostler_build_info',
    'Which version this is, what it runs on, and the newest schema it knows.',
    {
      version: { bound: 'the version of Hostler' },
      node: { bound: 'the version of Node' },
      schema: { bound: 'the name of a migration' },
    },
  ),
  certificate: gauge(
    'hostler_tls_certificate_expiry_timestamp_seconds',
    'When the certificate in use expires, in seconds since 1970; not told where there is none.',
  ),
  cpu: counter('process_cpu_seconds_total', 'The time of processors that was used.'),
  start: gauge('process_start_time_seconds', 'When the process began, in seconds since 1970.'),
  resident: gauge('process_resident_memory_bytes', 'Memory of the machine that the process has.'),
  openFiles: gauge('process_open_fds', 'Files and connections that are open; told on Linux.'),
  mostFiles: gauge('process_max_fds', 'Files and connections that may be open at once; told on Linux.'),
  heapUsed: gauge('nodejs_heap_size_used_bytes', 'Memory of the heap that is in use.'),
  heapTotal: gauge('nodejs_heap_size_total_bytes', 'Memory that is set aside for the heap.'),
  external: gauge('nodejs_external_memory_bytes', 'Memory outside of the heap, such as buffers.'),
  resources: gauge(
    'nodejs_active_resources',
    'What keeps the process alive, such as connections and timers.',
    {
      type: { bound: 'a kind of resource of Node, about 20' },
    },
  ),
  loopActive: counter(
    'nodejs_eventloop_active_seconds_total',
    'How long the event loop was not idle; its rate is between 0 and 1.',
  ),
  loopMedian: gauge(
    'nodejs_eventloop_lag_p50_seconds',
    'How late timers are: half of the last while, at most.',
  ),
  loopP99: gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'How late timers are: 99 of 100 in the last while, at most.',
  ),
  loopMax: gauge('nodejs_eventloop_lag_max_seconds', 'How late timers are: the latest in the last while.'),
  gc: histogram(
    'nodejs_gc_duration_seconds',
    'How long the process stood still to free memory.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    { kind: Object.values(GC_KINDS) },
  ),
};

/** Linux has it in a table, with the word `unlimited` where there is none. */
export function mostFilesIn(limits: string): number | undefined {
  const [, soft] = /^Max open files +(\d+) /m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

function mostFiles(): number | undefined {
  try {
    return mostFilesIn(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return undefined;
  }
}

/** Linux has them in a list; elsewhere nobody is told. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

function gcKindOf(entry: object): string | undefined {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined;
  const kind: unknown = isRecord(detail) ? detail['kind'] : undefined;
  return typeof kind === 'number' ? GC_KINDS[kind] : undefined;
}

export interface ProcessMetrics {
  certificateUsed(validTo: Date): void;
  /** Reads what is told of this moment. */
  read(): void;
  stop(): void;
}

interface Build {
  readonly version: string;
  readonly schema: string;
}

export function processMetrics(registry: Registry, { version, schema }: Build): ProcessMetrics {
  registry.gauge(PROCESS_METRICS.build).set(1, version, process.version, schema);
  registry.gauge(PROCESS_METRICS.start).set(performance.timeOrigin / 1000);
  const certificate = registry.gauge(PROCESS_METRICS.certificate);
  const cpu = registry.counter(PROCESS_METRICS.cpu);
  const gaugeOf = (name: keyof typeof PROCESS_METRICS) => registry.gauge(PROCESS_METRICS[name]);
  const [resident, resources] = [gaugeOf('resident'), gaugeOf('resources')];
  const [files, most] = [gaugeOf('openFiles'), gaugeOf('mostFiles')];
  const [heapUsed, heapTotal, external] = [gaugeOf('heapUsed'), gaugeOf('heapTotal'), gaugeOf('external')];
  const [median, p99, max] = [gaugeOf('loopMedian'), gaugeOf('loopP99'), gaugeOf('loopMax')];
  const loopActive = registry.counter(PROCESS_METRICS.loopActive);
  const gc = registry.histogram(PROCESS_METRICS.gc);
  const delay = new EventLoopDelay(() => performance.now());
  const observer = new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      const kind = gcKindOf(entry);
      if (kind !== undefined) gc.observe(entry.duration / 1000, kind);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  let told = { cpuS: 0, activeS: 0 };
  return {
    certificateUsed: validTo => certificate.set(validTo.getTime() / 1000),
    read: () => {
      const { user, system } = process.cpuUsage();
      const now = { cpuS: (user + system) / 1e6, activeS: performance.eventLoopUtilization().active / 1000 };
      cpu.add(now.cpuS - told.cpuS);
      loopActive.add(now.activeS - told.activeS);
      told = now;
      const memory = process.memoryUsage();
      resident.set(memory.rss);
      heapUsed.set(memory.heapUsed);
      heapTotal.set(memory.heapTotal);
      external.set(memory.external);
      const open = openFiles();
      if (open !== undefined) files.set(open);
      const mayBeOpen = mostFiles();
      if (mayBeOpen !== undefined) most.set(mayBeOpen);
      resources.clear();
      for (const type of process.getActiveResourcesInfo()) resources.add(1, type);
      const delays = delay.read();
      median.set(delays.median);
      p99.set(delays.p99);
      max.set(delays.max);
    },
    stop: () => {
      observer.disconnect();
      delay.stop();
    },
  };
}
