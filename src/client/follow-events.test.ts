import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked };
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

async function take(count: number, options: Partial<FollowOptions> & Pick<FollowOptions, 'baseUrls'>) {
  const seen: (number | string)[] = [];
  const all = followEvents({ user: 'u', password: 'p', pauseMs: 1, ...options });
  for await (const each of all) {
    seen.push(wordOf(each));
    if (seen.length === count) break;
  }
  return seen;
}
const wordOf = (each: FollowedEvent) => ('id' in each ? each.id : `reset to ${each.position}`);

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
