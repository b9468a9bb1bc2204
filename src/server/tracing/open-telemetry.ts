import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Tracer as ApiTracer, HrTime, SpanContext } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Secret } from '../../domain/secret.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { systemClock, waitUpTo } from '../../lib/time/clock.ts';
import type { Span, SpanEnd, SpanStart, Tracer } from '../../lib/tracer.ts';
import { version } from '../process.ts';
import { LoggingSpanExporter } from './logging-span-exporter.ts';

/** If the clocks differ by more, the wall clock was set. */
const MAX_DRIFT_MS = 20;
const MAX_READING_MS = 5;

/** Wall clock with the resolution of the monotonic clock: most spans are shorter than a millisecond. */
export class SpanClock {
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offsetMs = clock.now() - clock.monotonicMs();
  }

  /** Seconds since 1970, and nanoseconds. */
  now(msAgo = 0): HrTime {
    this.#syncWithWallClock();
    return this.#hrTime(this.#clock.monotonicMs() - msAgo);
  }

  at(monotonicMs: number): HrTime {
    this.#syncWithWallClock();
    return this.#hrTime(monotonicMs);
  }

  #syncWithWallClock(): void {
    const beforeMs = this.#clock.monotonicMs();
    const wallMs = this.#clock.now();
    const monotonicMs = this.#clock.monotonicMs();
    // If the process was interrupted between the two readings, their difference is not the drift.
    const isReliable = monotonicMs - beforeMs < MAX_READING_MS;
    if (isReliable && Math.abs(monotonicMs + this.#offsetMs - wallMs) > MAX_DRIFT_MS)
      this.#offsetMs = wallMs - monotonicMs;
  }

  #hrTime(monotonicMs: number): HrTime {
    const ms = monotonicMs + this.#offsetMs;
    const seconds = Math.floor(ms / 1000);
    return [seconds, Math.floor((ms - seconds * 1000) * 1e6)];
  }
}

const EXPORT_INTERVAL_MS = 2000;
/** About 1 KiB per span. Further spans are dropped. */
const MAX_QUEUE_SIZE = 8192;
const MAX_BATCH_SIZE = 512;
const EXPORT_TIMEOUT_MS = 10_000;
const SHUTDOWN_TIMEOUT_MS = 1000;
const MAX_ATTRIBUTE_LENGTH = 256;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

const formatTraceParent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`;

/** Implements Tracer with OpenTelemetry. Parents are passed explicitly, not through async context. */
class OpenTelemetryTracer implements Tracer {
  readonly #tracer: ApiTracer;
  readonly #clock: SpanClock;

  constructor(tracer: ApiTracer, clock: SpanClock) {
    this.#tracer = tracer;
    this.#clock = clock;
  }

  start({ name, kind, parent: traceParent, attributes, startedMsAgo }: SpanStart): Span {
    const parent = traceParent === undefined ? null : parseTraceParent(traceParent);
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const startTime = this.#clock.now(startedMsAgo);
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes, startTime }, context);
    return {
      context: formatTraceParent(span.spanContext()),
      end: ({ attributes: endAttributes, errorType, endedAtMs }: SpanEnd = {}) => {
        if (endAttributes) span.setAttributes(endAttributes);
        if (errorType !== undefined) {
          span.setAttribute('error.type', errorType);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end(endedAtMs === undefined ? this.#clock.now() : this.#clock.at(endedAtMs));
      },
    };
  }
}

interface ExporterOptions {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, Secret>>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Invariant: nothing waits for the endpoint, except the last second of a shutdown. */
export function startOpenTelemetry({ endpoint, headers, clock, log }: ExporterOptions): Tracing {
  const revealed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()]));
  const otlp = new OTLPTraceExporter({ url: endpoint, headers: revealed, timeoutMillis: EXPORT_TIMEOUT_MS });
  const processor = new BatchSpanProcessor({
    exporter: new LoggingSpanExporter(otlp, { clock: systemClock, log }),
    scheduledDelayMillis: EXPORT_INTERVAL_MS,
    maxQueueSize: MAX_QUEUE_SIZE,
    maxExportBatchSize: MAX_BATCH_SIZE,
    // The exporter's own timeout expires first.
    exportTimeoutMillis: EXPORT_TIMEOUT_MS + SHUTDOWN_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'hostler',
      'service.version': version,
      'service.instance.id': randomUUID(),
      'host.name': hostname(),
    }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    spanProcessors: [processor],
  });
  return {
    tracer: new OpenTelemetryTracer(provider.getTracer('hostler', version), new SpanClock(clock)),
    stop: async () => {
      await waitUpTo(systemClock, SHUTDOWN_TIMEOUT_MS, () => provider.shutdown().catch(() => {}));
    },
  };
}

export interface Tracing {
  readonly tracer: Tracer;
  /** Exports the remaining spans, for at most a second. */
  stop(): Promise<void>;
}
