import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { People } from '../chaos/people.ts';
import { listen } from '../listen.ts';
import { answeredEverywhere } from './answered-everywhere.ts';

test('a server that gives another answer is named, and so is one that gives none', async () => {
  const statuses = [503, 200, 404];
  const server = createServer((_request, response) => {
    response.writeHead(statuses.shift() ?? 404, { 'content-type': 'application/json' }).end('{}');
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => void server.close());
  const answering = { name: 'server 1', url };
  const silent = { name: 'server 2', url: undefined };
  const servers = [answering, silent];
  const people = new People(servers, 1);
  const ask = (server: (typeof servers)[number], withinMs: number) =>
    answeredEverywhere({ servers: [server], people }, 'x', 200, withinMs);
  expect(await ask(answering, 5000)).toEqual([]);
  expect(await ask(answering, 5000)).toEqual(['server 1 answers with 404 instead of 200 to x']);
  expect(await ask(silent, 20)).toEqual(['server 2 does not answer instead of 200 to x']);
});
