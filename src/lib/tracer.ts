// A parent span is named by its context, so a trace can continue in another process or hours later.

/** In the format of the W3C header `traceparent`. */
export type TraceContext = string;

/** Must not contain secrets, or text from a host or a client. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  /** A short identifier, not a message. */
  readonly errorType?: string | undefined;
  /** Monotonic time of the end, if it is in the past. */
  readonly endedAtMs?: number;
}

export interface Span {
  readonly context: TraceContext;
  end(spanEnd?: SpanEnd): void;
}

type SpanKind = 'server' | 'client' | 'internal';

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** An invalid context starts a new trace. */
  readonly parent: TraceContext | undefined;
  readonly attributes: SpanAttributes;
  readonly startedMsAgo?: number;
}

export interface Tracer {
  /** Never throws and never blocks. */
  start(span: SpanStart): Span;
}

/** The 32 hexadecimal digits after the version. */
export const getTraceId = (context: TraceContext): string => context.slice(3, 35);

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
