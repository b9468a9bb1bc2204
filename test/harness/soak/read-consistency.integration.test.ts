import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { AdminClient } from '../chaos/admin-client.ts';
import { listen } from '../http/sockets.ts';
import { checkEveryServer } from './consistency-checks.ts';

test('checkEveryServer reports servers with another status or without a response', async () => {
  const statuses = [503, 200, 404];
  const server = createServer((_request, response) => {
    response.writeHead(statuses.shift() ?? 404, { 'content-type': 'application/json' }).end('{}');
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => void server.close());
  const responding = { name: 'server 1', url };
  const silent = { name: 'server 2', url: undefined };
  const servers = [responding, silent];
  const admin = new AdminClient(servers, 1);
  const check = (server: (typeof servers)[number], withinMs: number) =>
    checkEveryServer({ servers: [server], admin }, 'x', 200, withinMs);
  expect(await check(responding, 5000)).toEqual([]);
  expect(await check(responding, 5000)).toEqual(['server 1 returns 404 instead of 200 to x']);
  expect(await check(silent, 20)).toEqual(['server 2 does not respond instead of 200 to x']);
});
