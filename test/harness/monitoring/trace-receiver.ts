// A trace collector on loopback that accepts OTLP over HTTP as JSON.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ResponseFault } from '../faults.ts';
import { applyFault } from '../http/apply-fault.ts';
import { listen } from '../http/sockets.ts';

const Attribute = Type.Object({
  key: Type.String(),
  value: Type.Object({
    stringValue: Type.Optional(Type.String()),
    intValue: Type.Optional(Type.Number()),
    boolValue: Type.Optional(Type.Boolean()),
  }),
});

const SpanMessage = Type.Object({
  traceId: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  spanId: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  parentSpanId: Type.Optional(Type.String()),
  name: Type.String(),
  kind: Type.Number(),
  startTimeUnixNano: Type.String(),
  endTimeUnixNano: Type.String(),
  attributes: Type.Array(Attribute),
  status: Type.Object({ code: Type.Optional(Type.Number()) }),
});

/** The validated part of an OTLP message. */
const TraceMessage = Type.Object({
  resourceSpans: Type.Array(
    Type.Object({
      resource: Type.Object({ attributes: Type.Array(Attribute) }),
      scopeSpans: Type.Array(Type.Object({ spans: Type.Array(SpanMessage) })),
    }),
  ),
});

type AttributeValue = string | number | boolean | undefined;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span. */
  readonly parentId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly isError: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

const ERROR = 2;
const NANOS_IN_MS = 1e6;

function parseSpans(body: string): ReceivedSpan[] {
  const message = Value.Parse(TraceMessage, JSON.parse(body));
  return message.resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ traceId, spanId, parentSpanId = '', name, ...span }) => ({
      ...{ traceId, spanId, parentId: parentSpanId, name },
      attributes: Object.fromEntries(
        span.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]),
      ),
      isError: span.status.code === ERROR,
      startMs: Number(span.startTimeUnixNano) / NANOS_IN_MS,
      endMs: Number(span.endTimeUnixNano) / NANOS_IN_MS,
    }));
}

export class TraceReceiver {
  /** Raw request bodies. */
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  readonly spans: ReceivedSpan[] = [];
  /** Status of the responses, or a fault. */
  reply: number | ResponseFault = 200;
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(url: string, server: ReturnType<typeof createServer>) {
    this.url = url;
    this.#server = server;
    server.on('request', (request, response) => void this.#receive(request, response));
  }

  static async start(): Promise<TraceReceiver> {
    const server = createServer();
    return new TraceReceiver(`http://127.0.0.1:${await listen(server)}`, server);
  }

  /** All spans of the trace that contains a span with this name. */
  findTrace(name: string): readonly ReceivedSpan[] {
    const { spans } = this;
    const found = spans.find(span => span.name === name);
    return spans.filter(span => span.traceId === found?.traceId);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers.push(request.headers);
    const body = await text(request);
    this.bodies.push(body);
    this.spans.push(...parseSpans(body));
    const reply = typeof this.reply === 'number' ? { status: this.reply, body: {} } : this.reply;
    applyFault(response, reply);
  }
}

/** Span names from the root to this span. */
export function spanPath(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentId);
  return parent ? `${spanPath(parent, spans)} > ${span.name}` : span.name;
}
