import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Tracer as ApiTracer, Attributes, SpanContext } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Secret } from '../../domain/secret.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { within } from '../../lib/time/sleep.ts';
import type { Span, SpanEnd, SpanStart, Tracer } from '../../lib/tracer.ts';
import { version } from '../version.ts';
import { SpanClock } from './span-clock.ts';
import { TellingExporter } from './telling-exporter.ts';
import type { Tracing } from './tracing.ts';

/** Spans wait for so long to be sent together. */
const SEND_EVERY_MS = 2000;
/** So many wait, of about a kilobyte each; what comes then is dropped. */
const MAX_WAITING = 8192;
const MAX_AT_ONCE = 512;
/** An endpoint that takes longer has failed. */
const ANSWER_WITHIN_MS = 10_000;
/** The last spans, at a stop. */
const LEAVE_WITHIN_MS = 1000;
const MAX_ATTRIBUTE_LENGTH = 256;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

const textOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`;

/** The port of the other layers, in terms of OpenTelemetry's tracer. Contexts are passed on by hand: nothing hangs on what runs when. */
class OpenTelemetryTracer implements Tracer {
  readonly #tracer: ApiTracer;
  readonly #clock: SpanClock;

  constructor(tracer: ApiTracer, clock: SpanClock) {
    this.#tracer = tracer;
    this.#clock = clock;
  }

  start({ name, kind, under, attributes, begunMsAgo }: SpanStart): Span {
    const parent = under === undefined ? null : parseTraceParent(under);
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const startTime = this.#clock.now(begunMsAgo);
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes, startTime }, context);
    return {
      context: textOf(span.spanContext()),
      end: ({ attributes: more, problem, endedAtMs }: SpanEnd = {}) => {
        if (more) span.setAttributes(more);
        if (problem !== undefined) {
          span.setAttribute('error.type', problem);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end(endedAtMs === undefined ? this.#clock.now() : this.#clock.at(endedAtMs));
      },
    };
  }
}

/** The process that spans come from. */
const self = (): Attributes => ({
  'service.name': 'hostler',
  'service.version': version,
  'service.instance.id': randomUUID(),
  'host.name': hostname(),
});

interface Outlet {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, Secret>>;
  /** What spans are timed by. */
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export function openTelemetry({ endpoint, headers, clock, log }: Outlet): Tracing {
  const revealed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()]));
  const otlp = new OTLPTraceExporter({ url: endpoint, headers: revealed, timeoutMillis: ANSWER_WITHIN_MS });
  const processor = new BatchSpanProcessor({
    exporter: new TellingExporter(otlp, { clock: systemClock, log }),
    scheduledDelayMillis: SEND_EVERY_MS,
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: MAX_AT_ONCE,
    // Whoever is asked has its own limit, a little sooner.
    exportTimeoutMillis: ANSWER_WITHIN_MS + LEAVE_WITHIN_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes(self()),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    spanProcessors: [processor],
  });
  return {
    tracer: new OpenTelemetryTracer(provider.getTracer('hostler', version), new SpanClock(clock)),
    stop: async () => {
      await within(systemClock, LEAVE_WITHIN_MS, () => provider.shutdown().catch(() => {}));
    },
  };
}
