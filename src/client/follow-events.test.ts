import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../test/harness/listen.ts';
import type { Caller } from './client.ts';
import type { FollowedEvent, FollowOptions } from './follow-events.ts';
import { followEvents } from './follow-events.ts';

type Answer = (response: ServerResponse) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Answers each request by the next of these, and the last of them for ever; notes from where it was asked. */
async function serve(...answers: readonly Answer[]): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(`${request.headers['last-event-id'] ?? request.url?.split('?')[1] ?? 'now'}`);
    answer?.(response);
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

const event = (id: number) => `id: ${id}\ndata: {"id":${id},"type":"network.created"}\n\n`;
const tell =
  (text: string, { isOpen = false, position = 0 } = {}): Answer =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'hostler-event': position });
    response.write(`retry: 2000\n: x\n\n${text}`, () => isOpen || response.destroy());
  };
const refuse =
  (status: number): Answer =>
  response => {
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ status, code: 'c', detail: 'd' }));
  };

type TakeOptions = Pick<FollowOptions, 'baseUrls' | 'query' | 'silenceMs' | 'onState'>;

async function take(count: number, options: TakeOptions, caller: Caller = { user: 'u', password: 'p' }) {
  const seen: (number | string)[] = [];
  const all = followEvents({ ...caller, pauseMs: 1, ...options });
  for await (const each of all) {
    seen.push(wordOf(each));
    if (seen.length === count) break;
  }
  return seen;
}
const wordOf = (each: FollowedEvent) => {
  if ('id' in each) return each.id;
  return each.type === 'output' ? `output of ${each.hosts.join()}` : `reset to ${each.position}`;
};

test('a stream that breaks is taken up again after the last event', async () => {
  const { url, asked } = await serve(tell(event(4) + event(5)), tell(event(6)), tell(event(7)));
  expect(await take(4, { baseUrls: [url], query: { after: 3, cluster: 'c' } })).toEqual([4, 5, 6, 7]);
  expect(asked).toEqual(['after=3&cluster=c', '5', '6']);
});

test('one that breaks before the first event is taken up from where it began', async () => {
  const { url, asked } = await serve(tell('', { position: 41 }), tell(event(42)));
  expect(await take(1, { baseUrls: [url] })).toEqual([42]);
  expect(asked).toEqual(['now', '41']);
});

test('a sign of life with a number moves on where it is taken up', async () => {
  const { url, asked } = await serve(tell(`${event(4)}:\nid: 9\n\n`), tell(event(10)));
  expect(await take(2, { baseUrls: [url] })).toEqual([4, 10]);
  expect(asked).toEqual(['now', '9']);
});

test('a reset is told, and it goes on from there', async () => {
  const reset = 'event: reset\nid: 90\ndata: {"type":"reset","after":3,"position":90}\n\n';
  const { url, asked } = await serve(tell(reset), tell(event(91)));
  expect(await take(2, { baseUrls: [url], query: { after: 3 } })).toEqual(['reset to 90', 91]);
  expect(asked).toEqual(['after=3', '90']);
});

const hint = 'event: output\ndata: {"type":"output","operation":"o","hosts":["127.0.0.1"]}\n\n';

test('hints of output are told to who asks for them, and do not move on where it is taken up', async () => {
  const { url, asked } = await serve(tell(hint + event(4) + hint), tell(hint + event(5)));
  const query = { after: 3, output: true };
  const words = ['output of 127.0.0.1', 4, 'output of 127.0.0.1', 'output of 127.0.0.1', 5];
  expect(await take(5, { baseUrls: [url], query })).toEqual(words);
  expect(asked).toEqual(['after=3&output=true', '4']);
});

test('hints of output are told to nobody else', async () => {
  const { url } = await serve(tell(hint + event(4) + hint + event(5)));
  expect(await take(2, { baseUrls: [url], query: { after: 3 } })).toEqual([4, 5]);
});

test('it tells how it is doing: a stream that breaks, a server that is busy, one that is away, one that answers', async () => {
  const { url } = await serve(tell(event(4)), refuse(503), tell(event(5), { isOpen: true }));
  const states: string[] = [];
  const onState = (state: string, position?: number) => void states.push([state, position].join(' ').trim());
  const query = { after: 3 };
  expect(await take(2, { baseUrls: [url, 'http://127.0.0.1:1'], query, onState })).toEqual([4, 5]);
  const away = ['connecting', 'lost'];
  expect(states).toEqual([
    ...['connecting', 'live 3', 'lost'],
    ...away,
    ...away,
    ...away,
    'connecting',
    'live 4',
  ]);
});

test('it tells that it is lost when it is refused, and not when it is told to end', async () => {
  const [refusing, { url }] = [await serve(refuse(401)), await serve(tell(event(4), { isOpen: true }))];
  const states: string[] = [];
  const onState = (state: string) => void states.push(state);
  await expect(take(1, { baseUrls: [refusing.url], onState })).rejects.toMatchObject({ status: 401 });
  expect(states.splice(0)).toEqual(['connecting', 'lost']);
  const over = new AbortController();
  const all = followEvents({ user: 'u', password: 'p', baseUrls: [url], signal: over.signal, onState });
  await all.next();
  over.abort();
  await all.next();
  expect(states).toEqual(['connecting', 'live']);
});

test('it follows also where a browser cannot go through a stream by itself', async () => {
  const own = ReadableStream.prototype[Symbol.asyncIterator];
  Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator);
  onTestFinished(() => {
    Reflect.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
      ...{ value: own, writable: true, enumerable: false, configurable: true },
    });
  });
  const { url } = await serve(tell(event(4)), tell(event(5)));
  expect(await take(2, { baseUrls: [url] })).toEqual([4, 5]);
});

test('headers may stand for the one who follows', async () => {
  const seen: (string | undefined)[] = [];
  const { url } = await serve(response => {
    const { 'hostler-dashboard': dashboard, authorization } = response.req.headers;
    seen.push(String(dashboard), authorization);
    tell(event(4))(response);
  });
  await take(1, { baseUrls: [url] }, { headers: { 'hostler-dashboard': '1' } });
  expect(seen).toEqual(['1', undefined]);
});

test('servers are asked in turn, and those that are busy or away again later', async () => {
  const [one, other] = [await serve(refuse(503), tell(event(5))), await serve(tell(event(4)), refuse(503))];
  const gone = 'http://127.0.0.1:1';
  expect(await take(2, { baseUrls: [gone, one.url, other.url] })).toEqual([4, 5]);
  expect([one.asked, other.asked]).toEqual([['now', '4'], ['now']]);
});

test('a stream that falls silent is given up', async () => {
  const { url } = await serve(tell(event(4), { isOpen: true }), tell(event(5)));
  expect(await take(2, { baseUrls: [url], silenceMs: 50 })).toEqual([4, 5]);
});

test('a refusal that does not pass by itself is an error', async () => {
  const { url } = await serve(refuse(401));
  await expect(take(1, { baseUrls: [url] })).rejects.toMatchObject({ status: 401 });
});

test('it ends when it is told to', async () => {
  const { url } = await serve(tell(event(4), { isOpen: true }));
  const over = new AbortController();
  const all = followEvents({ user: 'u', password: 'p', baseUrls: [url], signal: over.signal });
  expect((await all.next()).value).toMatchObject({ id: 4 });
  const next = all.next();
  over.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
