// The present client asks a service of each version before: it shows whatever that one tells, though newer ones tell more.

import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../harness/listen.ts';
import { asAdmin, hostler } from '../harness/programs/cli.ts';
import { keptAbout, keptVersions } from './kept-data.ts';

/** Paths as the answers were kept by, whatever else a client asks for. */
const keptPath = (url: string) => new URL(url, 'http://service').pathname.replace(/\/$/, '');

describe.each(keptVersions())('a service of version %s', version => {
  const { answers, operation } = keptAbout(version, 'sqlite');
  const byPath = new Map(Object.entries(answers).map(([target, answer]) => [keptPath(target), answer]));
  const server = createServer((request, response) => {
    const answer = byPath.get(keptPath(request.url ?? ''));
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { status: 404, code: 'not_found', title: 'Not Found' }));
  });
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    environment = asAdmin(`http://127.0.0.1:${await listen(server)}`);
  });
  afterAll(() => void server.close());

  test.each([
    ['host list', '127.93.0.1'],
    ['host show 127.93.0.1', 'still'],
    ['cluster show still', 'lab'],
    ['cluster policy still', '20%'],
    ['network list', 'lab'],
    ['container-manager list', 'nodes'],
    ['user show vera', 'viewer'],
    ['token show racks', 'still'],
    ['webhook show chat', 'log.pruned'],
    ['operation list', operation.id],
    [`operation show ${operation.id}`, 'restarted'],
    ['audit list', 'cluster.created'],
  ])('is asked by hostler %s', async (line, shown) => {
    const { exitCode, stdout, stderr } = await hostler(line, { environment });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(shown);
  });
});
