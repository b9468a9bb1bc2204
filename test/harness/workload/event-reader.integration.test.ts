import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { listen } from '../http/sockets.ts';
import { waitUntil } from '../wait-until.ts';
import { EventReader } from './event-reader.ts';

const frame = (id: number) => `id: ${id}\ndata: ${JSON.stringify({ id, type: 'host.created' })}\n\n`;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

describe('EventReader', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  async function startServer(serve: Serve): Promise<string> {
    const server = createServer(serve);
    servers.push(server);
    return `http://127.0.0.1:${await listen(server)}`;
  }
  const createReader = (urls: readonly string[]) =>
    new EventReader({ urls: () => urls, authorization: 'Basic eA==', idleTimeoutMs: 200 });
  const requestedPosition = ({ url = '', headers }: IncomingMessage) =>
    Number(headers['last-event-id'] ?? new URL(url, 'http://x').searchParams.get('after'));

  test('resumes on another server when a stream ends, breaks in a message or is idle', async () => {
    const first = await startServer((request, response) => response.end(frame(requestedPosition(request) + 1)));
    const second = await startServer((request, response) => {
      const next = requestedPosition(request) + 1;
      response.write(frame(next) + frame(next + 1).slice(0, -5));
      if (next % 2 === 0) response.socket?.destroy();
    });
    const reader = createReader([first, second]);
    reader.start();
    await waitUntil('six events', () => reader.position >= 6);
    await reader.stop();
    expect(reader.events.map(({ id }) => id).slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(reader.streams).toBeGreaterThan(5);
    expect(reader.errors).toEqual([]);
  });

  test('records duplicate events and gaps, and reports an unexpected reset', async () => {
    const url = await startServer((_request, response) =>
      response.end(`${frame(1)}${frame(3)}${frame(3)}event: reset\nid: 9\ndata: {}\n\n`),
    );
    const reader = createReader([url]);
    reader.start();
    await waitUntil('a reset', () => reader.errors.length > 0);
    await reader.stop();
    expect(reader.events.slice(0, 3).map(({ id }) => id)).toEqual([1, 3, 3]);
    expect(reader.errors[0]).toBe('unexpected reset message after event 3');
  });

  test('retries while no server responds', async () => {
    let requests = 0;
    const url = await startServer((_request, response) => {
      requests += 1;
      response.statusCode = 503;
      response.end();
    });
    const reader = createReader(['http://127.0.0.1:1', url]);
    reader.start();
    await waitUntil('a second request', () => requests > 1);
    await reader.stop();
    expect(reader.errors).toEqual([]);
  });
});
