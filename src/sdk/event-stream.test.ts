import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../test/harness/listen.ts';
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

/** Answers each request by the next of these, and the last of them for ever; notes from where it was asked. */
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

test('a stream that breaks is taken up again after the last event', async () => {
  const { url, requests } = await serve(send(event(4) + event(5)), send(event(6)), send(event(7)));
  expect(await collect(4, { baseUrls: [url], query: { after: 3, cluster: 'c' } })).toEqual([4, 5, 6, 7]);
  expect(requests).toEqual(['after=3&cluster=c', '5', '6']);
});

test('one that breaks before the first event is taken up from where it began', async () => {
  const { url, requests } = await serve(send('', { position: 41 }), send(event(42)));
  expect(await collect(1, { baseUrls: [url] })).toEqual([42]);
  expect(requests).toEqual(['now', '41']);
});

test('a sign of life with a number moves on where it is taken up', async () => {
  const { url, requests } = await serve(send(`${event(4)}:\nid: 9\n\n`), send(event(10)));
  expect(await collect(2, { baseUrls: [url] })).toEqual([4, 10]);
  expect(requests).toEqual(['now', '9']);
});

test('a reset is told, and it goes on from there', async () => {
  const reset = 'event: reset\nid: 90\ndata: {"type":"reset","after":3,"position":90}\n\n';
  const { url, requests } = await serve(send(reset), send(event(91)));
  expect(await collect(2, { baseUrls: [url], query: { after: 3 } })).toEqual(['reset to 90', 91]);
  expect(requests).toEqual(['after=3', '90']);
});

const hint = 'event: output\ndata: {"type":"output","operation":"o","hosts":["127.0.0.1"]}\n\n';

test('hints of output are told to who asks for them, and do not move on where it is taken up', async () => {
  const { url, requests } = await serve(send(hint + event(4) + hint), send(hint + event(5)));
  const query = { after: 3, output: true };
  const texts = ['output of 127.0.0.1', 4, 'output of 127.0.0.1', 'output of 127.0.0.1', 5];
  expect(await collect(5, { baseUrls: [url], query })).toEqual(texts);
  expect(requests).toEqual(['after=3&output=true', '4']);
});

test('hints of output are told to nobody else', async () => {
  const { url } = await serve(send(hint + event(4) + hint + event(5)));
  expect(await collect(2, { baseUrls: [url], query: { after: 3 } })).toEqual([4, 5]);
});

test('it tells how it is doing: a stream that breaks, a server that is busy, one that is away, one that answers', async () => {
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

test('it tells that it is lost when it is refused, and not when it is told to end', async () => {
  const [refusing, { url }] = [await serve(reject(401)), await serve(send(event(4), { isOpen: true }))];
  const states: string[] = [];
  const onState = (state: string) => void states.push(state);
  await expect(collect(1, { baseUrls: [refusing.url], onState })).rejects.toMatchObject({ status: 401 });
  expect(states.splice(0)).toEqual(['connecting', 'lost']);
  const controller = new AbortController();
  const all = streamEvents({ user: 'u', password: 'p', baseUrls: [url], signal: controller.signal, onState });
  await all.next();
  controller.abort();
  await all.next();
  expect(states).toEqual(['connecting', 'live']);
});

test('it follows also where a browser cannot go through a stream by itself', async () => {
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

test('headers may stand for the one who follows', async () => {
  const seen: (string | undefined)[] = [];
  const { url } = await serve(response => {
    const { 'hostler-dashboard': dashboard, authorization } = response.req.headers;
    seen.push(String(dashboard), authorization);
    send(event(4))(response);
  });
  await collect(1, { baseUrls: [url] }, { headers: { 'hostler-dashboard': '1' } });
  expect(seen).toEqual(['1', undefined]);
});

test('servers are asked in turn, and those that are busy or away again later', async () => {
  const [one, other] = [await serve(reject(503), send(event(5))), await serve(send(event(4)), reject(503))];
  const closedUrl = 'http://127.0.0.1:1';
  expect(await collect(2, { baseUrls: [closedUrl, one.url, other.url] })).toEqual([4, 5]);
  expect([one.requests, other.requests]).toEqual([['now', '4'], ['now']]);
});

test('a stream that falls silent is given up', async () => {
  const { url } = await serve(send(event(4), { isOpen: true }), send(event(5)));
  expect(await collect(2, { baseUrls: [url], idleTimeoutMs: 50 })).toEqual([4, 5]);
});

test('a refusal that does not pass by itself is an error', async () => {
  const { url } = await serve(reject(401));
  await expect(collect(1, { baseUrls: [url] })).rejects.toMatchObject({ status: 401 });
});

test('it ends when it is told to', async () => {
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

describe('messages', () => {
  test.each([
    ['an event', 'id: 7\ndata: {"a":1}\n\n', ['|7|{"a":1}']],
    ['one with a type', 'event: reset\nid: 9\ndata: {}\n\n', ['reset|9|{}']],
    ['a type counts for one message only', 'event: reset\ndata: 1\n\ndata: 2\n\n', ['reset||1', '||2']],
    ['a number counts until there is another', 'id: 7\ndata: 1\n\ndata: 2\n\n', ['|7|1', '|7|2']],
    ['a sign of life', ':\n\n', ['||']],
    ['a sign of life with a number', ':\nid: 12\n\n', ['|12|']],
    ['a greeting', 'retry: 2000\n: stream open\n\n', ['||']],
    ['data in lines', 'data: a\ndata: b\n\n', ['||a\nb']],
    ['no space after the colon', 'id:7\ndata:a: b\n\n', ['|7|a: b']],
    ['other ends of lines', 'id: 7\r\ndata: a\r\n\r\nid: 8\rdata: b\r\rx', ['|7|a', '|8|b']],
    ['one that is not whole', 'id: 7\ndata: a\n', []],
  ])('are read: %s', (_name, text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test('are the same however they are cut on their way', () => {
    const text =
      'retry: 2000\n: x\n\nid: 1\ndata: {"a":"ä"}\n\nevent: reset\r\nid: 2\r\ndata: {}\r\n\r\n:\n\n';
    const cuts = fc.array(fc.nat(text.length), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, positions => {
        const at = [0, ...positions.toSorted((a, b) => a - b), text.length];
        expect(parse(...at.slice(1).map((end, index) => text.slice(at[index], end)))).toEqual(parse(text));
      }),
    );
  });
});
