import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../until.ts';
import { EventReader } from './event-reader.ts';
import { EventStreamParser } from './read-event-stream.ts';

const frame = (id: number) => `id: ${id}\ndata: ${JSON.stringify({ id, type: 'host.created' })}\n\n`;

describe('a stream of events', () => {
  test.each<[string, readonly string[], readonly unknown[]]>([
    [
      'whole',
      ['id: 1\ndata: {}\n\nid: 2\ndata: x\n\n'],
      [
        ['1', '', '{}'],
        ['2', '', 'x'],
      ],
    ],
    ['in pieces', ['id: 1\nda', 'ta: {}\n', '\n'], [['1', '', '{}']]],
    ['cut off', ['id: 1\ndata: {}\n\nid: 2\ndata: {}\n'], [['1', '', '{}']]],
    ['with heartbeats', [': still here\n\n', ':\n\nid: 1\ndata: {}\n\n'], [['1', '', '{}']]],
    ['with advice', ['retry: 2000\n: stream open\n\nid: 1\ndata: {}\n\n'], [['1', '', '{}']]],
    ['with a name', ['event: reset\nid: 7\ndata: {}\n\n'], [['7', 'reset', '{}']]],
    ['of several lines', ['data: a\ndata: b\n\n'], [['', '', 'a\nb']]],
  ])('%s', (_what, pieces, messages) => {
    const parser = new EventStreamParser();
    const read = pieces.flatMap(piece => parser.add(piece));
    expect(read.map(({ id, event, data }) => [id, event, data])).toEqual(messages);
  });
});

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

describe('a reader of events', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  async function listen(serve: Serve): Promise<string> {
    const server = createServer(serve);
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }
  const readerOf = (urls: readonly string[]) =>
    new EventReader({ urls: () => urls, authorization: 'Basic eA==', silenceMs: 200 });
  const positionIn = ({ url = '', headers }: IncomingMessage) =>
    Number(headers['last-event-id'] ?? new URL(url, 'http://x').searchParams.get('after'));

  test('resumes at another server when its own ends, hangs up in the middle or falls silent', async () => {
    const first = await listen((request, response) => response.end(frame(positionIn(request) + 1)));
    const second = await listen((request, response) => {
      const next = positionIn(request) + 1;
      response.write(frame(next) + frame(next + 1).slice(0, -5));
      if (next % 2 === 0) response.socket?.destroy();
    });
    const reader = readerOf([first, second]);
    reader.start();
    await until('six events', () => reader.position >= 6);
    await reader.stop();
    expect(reader.events.map(({ id }) => id).slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(reader.streams).toBeGreaterThan(5);
    expect(reader.problems).toEqual([]);
  });

  test('tells what it was sent, twice and with gaps, and what must never come', async () => {
    const url = await listen((_request, response) =>
      response.end(`${frame(1)}${frame(3)}${frame(3)}event: reset\nid: 9\ndata: {}\n\n`),
    );
    const reader = readerOf([url]);
    reader.start();
    await until('a reset', () => reader.problems.length > 0);
    await reader.stop();
    expect(reader.events.slice(0, 3).map(({ id }) => id)).toEqual([1, 3, 3]);
    expect(reader.problems[0]).toBe('after event 3 there was a reset');
  });

  test('goes on asking where nobody answers', async () => {
    let asked = 0;
    const url = await listen((_request, response) => {
      asked += 1;
      response.statusCode = 503;
      response.end();
    });
    const reader = readerOf(['http://127.0.0.1:1', url]);
    reader.start();
    await until('it asks again', () => asked > 1);
    await reader.stop();
    expect(reader.problems).toEqual([]);
  });
});
