import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../test/harness/http/sockets.ts';
import type { Credentials } from './client.ts';
import type { SseMessage, StreamEvent, StreamOptions } from './event-stream.ts';
import { SseParser, streamEvents } from './event-stream.ts';

type Responder = (response: ServerResponse) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Answers each request with the next responder, the last one repeatedly; records the requested positions. */
async function serve(...responders: readonly Responder[]): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const respond = responders[Math.min(requests.length, responders.length - 1)];
    requests.push(`${request.headers['last-event-id'] ?? request.url?.split('?')[1] ?? 'now'}`);
    respond?.(response);
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${await listen(server)}`, requests };
}

const event = (id: number) => `id: ${id}\ndata: {"id":${id},"type":"network.created"}\n\n`;
const send =
  (text: string, { isOpen = false, position = 0 } = {}): Responder =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'hostler-event': position });
    response.write(`retry: 2000\n: x\n\n${text}`, () => isOpen || response.destroy());
  };
const reject =
  (status: number): Responder =>
  response => {
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ status, code: 'c', detail: 'd' }));
  };

type CollectOptions = Pick<StreamOptions, 'baseUrls' | 'query' | 'idleTimeoutMs' | 'onState'>;

async function collect(
  count: number,
  options: CollectOptions,
  credentials: Credentials = { user: 'u', password: 'p' },
) {
  const items: (number | string)[] = [];
  const stream = streamEvents({ ...credentials, reconnectDelayMs: 1, ...options });
  for await (const item of stream) {
    items.push(describeItem(item));
    if (items.length === count) break;
  }
  return items;
}
const describeItem = (item: StreamEvent) => {
  if ('id' in item) return item.id;
  return item.type === 'output' ? `output of ${item.hosts.join()}` : `reset to ${item.position}`;
};

test('an interrupted stream resumes after the last event', async () => {
  const { url, requests } = await serve(send(event(4) + event(5)), send(event(6)), send(event(7)));
  expect(await collect(4, { baseUrls: [url], query: { after: 3, cluster: 'c' } })).toEqual([4, 5, 6, 7]);
  expect(requests).toEqual(['after=3&cluster=c', '5', '6']);
});

test('a stream that is interrupted before the first event resumes at its start position', async () => {
  const { url, requests } = await serve(send('', { position: 41 }), send(event(42)));
  expect(await collect(1, { baseUrls: [url] })).toEqual([42]);
  expect(requests).toEqual(['now', '41']);
});

test('a heartbeat with an ID moves the position at which the stream resumes', async () => {
  const { url, requests } = await serve(send(`${event(4)}:\nid: 9\n\n`), send(event(10)));
  expect(await collect(2, { baseUrls: [url] })).toEqual([4, 10]);
  expect(requests).toEqual(['now', '9']);
});

test('a reset is delivered, and the stream continues from its position', async () => {
  const reset = 'event: reset\nid: 90\ndata: {"type":"reset","after":3,"position":90}\n\n';
  const { url, requests } = await serve(send(reset), send(event(91)));
  expect(await collect(2, { baseUrls: [url], query: { after: 3 } })).toEqual(['reset to 90', 91]);
  expect(requests).toEqual(['after=3', '90']);
});

const outputMessage = 'event: output\ndata: {"type":"output","operation":"o","hosts":["127.0.0.1"]}\n\n';

test('output notifications are delivered if requested, and do not move the position', async () => {
  const { url, requests } = await serve(send(outputMessage + event(4) + outputMessage), send(outputMessage + event(5)));
  const query = { after: 3, output: true };
  const texts = ['output of 127.0.0.1', 4, 'output of 127.0.0.1', 'output of 127.0.0.1', 5];
  expect(await collect(5, { baseUrls: [url], query })).toEqual(texts);
  expect(requests).toEqual(['after=3&output=true', '4']);
});

test('output notifications are not delivered unless requested', async () => {
  const { url } = await serve(send(outputMessage + event(4) + outputMessage + event(5)));
  expect(await collect(2, { baseUrls: [url], query: { after: 3 } })).toEqual([4, 5]);
});

test('a server with an internal error does not end the stream', async () => {
  const [broken, { url }] = [await serve(reject(500)), await serve(send(event(4), { isOpen: true }))];
  expect(await collect(1, { baseUrls: [broken.url, url], query: { after: 3 } })).toEqual([4]);
});

test('onState reports interruptions, busy servers, unreachable servers and new connections', async () => {
  const { url } = await serve(send(event(4)), reject(503), send(event(5), { isOpen: true }));
  const states: string[] = [];
  const onState = (state: string, position?: number) => void states.push([state, position].join(' ').trim());
  const query = { after: 3 };
  expect(await collect(2, { baseUrls: [url, 'http://127.0.0.1:1'], query, onState })).toEqual([4, 5]);
  const unreachable = ['connecting', 'lost'];
  expect(states).toEqual([
    ...['connecting', 'live 3', 'lost'],
    ...unreachable,
    ...unreachable,
    ...unreachable,
    'connecting',
    'live 4',
  ]);
});

test('onState reports lost after a rejection, but not after an abort', async () => {
  const [rejecting, { url }] = [await serve(reject(401)), await serve(send(event(4), { isOpen: true }))];
  const states: string[] = [];
  const onState = (state: string) => void states.push(state);
  await expect(collect(1, { baseUrls: [rejecting.url], onState })).rejects.toMatchObject({ status: 401 });
  expect(states.splice(0)).toEqual(['connecting', 'lost']);
  const controller = new AbortController();
  const all = streamEvents({ user: 'u', password: 'p', baseUrls: [url], signal: controller.signal, onState });
  await all.next();
  controller.abort();
  await all.next();
  expect(states).toEqual(['connecting', 'live']);
});

test('the stream works in browsers without async iteration of streams', async () => {
  const asyncIterator = ReadableStream.prototype[Symbol.asyncIterator];
  Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator);
  onTestFinished(() => {
    Reflect.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
      ...{ value: asyncIterator, writable: true, enumerable: false, configurable: true },
    });
  });
  const { url } = await serve(send(event(4)), send(event(5)));
  expect(await collect(2, { baseUrls: [url] })).toEqual([4, 5]);
});

test('headers can replace the account', async () => {
  const receivedHeaders: (string | undefined)[] = [];
  const { url } = await serve(response => {
    const { 'hostler-dashboard': dashboard, authorization } = response.req.headers;
    receivedHeaders.push(String(dashboard), authorization);
    send(event(4))(response);
  });
  await collect(1, { baseUrls: [url] }, { headers: { 'hostler-dashboard': '1' } });
  expect(receivedHeaders).toEqual(['1', undefined]);
});

test('the stream tries servers in turn, and busy or unreachable ones again later', async () => {
  const [one, other] = [await serve(reject(503), send(event(5))), await serve(send(event(4)), reject(503))];
  const closedUrl = 'http://127.0.0.1:1';
  expect(await collect(2, { baseUrls: [closedUrl, one.url, other.url] })).toEqual([4, 5]);
  expect([one.requests, other.requests]).toEqual([['now', '4'], ['now']]);
});

test('the stream reconnects after the idle timeout', async () => {
  const { url } = await serve(send(event(4), { isOpen: true }), send(event(5)));
  expect(await collect(2, { baseUrls: [url], idleTimeoutMs: 1000 })).toEqual([4, 5]);
});

test('an error that a retry cannot fix is thrown', async () => {
  const { url } = await serve(reject(401));
  await expect(collect(1, { baseUrls: [url] })).rejects.toMatchObject({ status: 401 });
});

test('the stream ends when its signal aborts', async () => {
  const { url } = await serve(send(event(4), { isOpen: true }));
  const controller = new AbortController();
  const all = streamEvents({ user: 'u', password: 'p', baseUrls: [url], signal: controller.signal });
  expect((await all.next()).value).toMatchObject({ id: 4 });
  const next = all.next();
  controller.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

const format = ({ type, lastEventId, data }: SseMessage) => `${type}|${lastEventId}|${data}`;
const parse = (...texts: readonly string[]) => {
  const parser = new SseParser();
  return texts.flatMap(text => parser.parse(text)).map(format);
};

describe('SseParser', () => {
  test.each([
    ['an event', 'id: 7\ndata: {"a":1}\n\n', ['|7|{"a":1}']],
    ['an event with a type', 'event: reset\nid: 9\ndata: {}\n\n', ['reset|9|{}']],
    ['a type for one message only', 'event: reset\ndata: 1\n\ndata: 2\n\n', ['reset||1', '||2']],
    ['an ID that applies to the following messages', 'id: 7\ndata: 1\n\ndata: 2\n\n', ['|7|1', '|7|2']],
    ['a heartbeat', ':\n\n', ['||']],
    ['a heartbeat with an ID', ':\nid: 12\n\n', ['|12|']],
    ['a retry field and a comment', 'retry: 2000\n: stream open\n\n', ['||']],
    ['data in several lines', 'data: a\ndata: b\n\n', ['||a\nb']],
    ['fields without a space after the colon', 'id:7\ndata:a: b\n\n', ['|7|a: b']],
    ['other line endings', 'id: 7\r\ndata: a\r\n\r\nid: 8\rdata: b\r\rx', ['|7|a', '|8|b']],
    ['nothing from an incomplete message', 'id: 7\ndata: a\n', []],
  ])('parses %s', (_name, text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test('returns the same messages for any split into chunks', () => {
    const text = 'retry: 2000\n: x\n\nid: 1\ndata: {"a":"ä"}\n\nevent: reset\r\nid: 2\r\ndata: {}\r\n\r\n:\n\n';
    const cuts = fc.array(fc.nat(text.length), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, positions => {
        const at = [0, ...positions.toSorted((a, b) => a - b), text.length];
        expect(parse(...at.slice(1).map((end, index) => text.slice(at[index], end)))).toEqual(parse(text));
      }),
    );
  });
});
