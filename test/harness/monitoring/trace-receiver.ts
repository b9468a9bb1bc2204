// A collector of traces on loopback: it takes what is sent by OTLP over HTTP as JSON, and shows the spans as trees.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { listen } from '../listen.ts';

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

/** What of a message of OTLP is looked at. */
const TraceMessage = Type.Object({
  resourceSpans: Type.Array(
    Type.Object({
      resource: Type.Object({ attributes: Type.Array(Attribute) }),
      scopeSpans: Type.Array(Type.Object({ spans: Type.Array(SpanMessage) })),
    }),
  ),
});

type Told = string | number | boolean | undefined;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** `''` for the first of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, Told>>;
  readonly isError: boolean;
  readonly beginMs: number;
  readonly endMs: number;
}

const ERROR = 2;
const NANOS_IN_MS = 1e6;

function spansIn(body: string): ReceivedSpan[] {
  const message = Value.Parse(TraceMessage, JSON.parse(body));
  return message.resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ traceId, spanId, parentSpanId = '', name, ...span }) => ({
      ...{ traceId, spanId, parentId: parentSpanId, name },
      attributes: Object.fromEntries(
        span.attributes.map(({ key, value }) => [
          key,
          value.stringValue ?? value.intValue ?? value.boolValue,
        ]),
      ),
      isError: span.status.code === ERROR,
      beginMs: Number(span.startTimeUnixNano) / NANOS_IN_MS,
      endMs: Number(span.endTimeUnixNano) / NANOS_IN_MS,
    }));
}

export class TraceReceiver {
  /** Everything that arrived, as it was sent. */
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  readonly spans: ReceivedSpan[] = [];
  /** How it answers: with a status, or never. */
  reply: number | 'hang' = 200;
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(url: string, server: ReturnType<typeof createServer>) {
    this.url = url;
    this.#server = server;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  static async start(): Promise<TraceReceiver> {
    const server = createServer();
    return new TraceReceiver(`http://127.0.0.1:${await listen(server)}`, server);
  }

  /** Those of the trace that a span of this name is in. */
  traceOf(name: string): readonly ReceivedSpan[] {
    const { spans } = this;
    const found = spans.find(span => span.name === name);
    return spans.filter(span => span.traceId === found?.traceId);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers.push(request.headers);
    const body = await text(request);
    this.bodies.push(body);
    this.spans.push(...spansIn(body));
    if (this.reply !== 'hang')
      response.writeHead(this.reply, { 'content-type': 'application/json' }).end('{}');
  }
}

/** The names from the first span of a trace down to one. */
export function pathTo(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentId);
  return parent ? `${pathTo(parent, spans)} > ${span.name}` : span.name;
}
