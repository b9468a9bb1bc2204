// How work is followed from where it was asked for to where it ends. A span is a piece of it that has a beginning and an end; spans
// under each other make a trace. Whoever starts one names the span that it is under by a text, so that a trace goes on in another
// process, or hours later. Where nothing is traced there is no tracer: its users have `null`, and pay for nothing else.

/** Where in a trace something stands, in the form of W3C's header `traceparent`. */
export type TraceContext = string;

/** What is told of a span. Never a secret, and nothing that a host or a caller has written. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** How a span ended. */
export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  /** A word for what went wrong. */
  readonly errorType?: string | undefined;
  /** The monotonic time of the end, if it is in the past. */
  readonly endedAtMs?: number;
}

export interface Span {
  readonly context: TraceContext;
  end(spanEnd?: SpanEnd): void;
}

/** `server`: somebody else asked for it. `client`: somebody else is asked. */
export type SpanKind = 'server' | 'client' | 'internal';

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** The span that it is under; a text that is no context counts as none, and begins a trace. */
  readonly parent: TraceContext | undefined;
  readonly attributes: SpanAttributes;
  /** For what had begun before it was known that it is traced. */
  readonly startedMsAgo?: number;
}

export interface Tracer {
  /** Never fails, and waits for nobody. */
  start(span: SpanStart): Span;
}

/** By which a trace is found: 32 digits, after the version. */
export const getTraceId = (context: TraceContext): string => context.slice(3, 35);

/** Ends a span when something is over; `how` tells from its answer how it went. */
export async function withSpan<Result>(
  span: Span,
  run: () => Promise<Result>,
  toSpanEnd: (result: Result) => SpanEnd = () => ({}),
): Promise<Result> {
  try {
    const result = await run();
    span.end(toSpanEnd(result));
    return result;
  } catch (error) {
    span.end({ errorType: error instanceof Error ? error.constructor.name : 'error' });
    throw error;
  }
}
