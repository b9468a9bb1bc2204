import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../http/sockets.ts';
import { AdminClient } from './admin-client.ts';

test('checkEveryServer reports servers with another status or without a response', async () => {
  const statuses = [503, 200, 404];
  const server = createServer((_request, response) => {
    response.writeHead(statuses.shift() ?? 404, { 'content-type': 'application/json' }).end('{}');
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => void server.close());
  const responding = new AdminClient([{ name: 'server 1', url }], 1);
  const silent = new AdminClient([{ name: 'server 2', url: undefined }], 1);
  expect(await responding.checkEveryServer('x', 200, 5000)).toEqual([]);
  expect(await responding.checkEveryServer('x', 200, 5000)).toEqual(['server 1 returns 404 instead of 200 to x']);
  expect(await silent.checkEveryServer('x', 200, 20)).toEqual(['server 2 does not respond instead of 200 to x']);
});
