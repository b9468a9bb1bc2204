import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../harness/listen.ts';
import type { CliOptions } from '../harness/programs/cli.ts';
import { asAdmin, hostler } from '../harness/programs/cli.ts';

/** Runs `hostler webhook list` against a service of the future, which says these headers with each webhook. */
async function listWebhooks(headers: Record<string, string>, line = '', options: CliOptions = {}) {
  const server = createServer((request, response) => {
    const isList = request.url?.endsWith('/webhooks');
    const webhook = { name: 'chat', state: 'delivering', behind: 0, delivered_at: '', events: [], url: '' };
    response.writeHead(200, { 'content-type': 'application/json', ...(isList ? {} : headers) });
    response.end(JSON.stringify(isList ? ['chat', 'pager'] : webhook));
  });
  onTestFinished(() => void server.close());
  const environment = asAdmin(`http://127.0.0.1:${await listen(server)}`);
  return hostler(`webhook list ${line}`, { environment, ...options });
}

const CALL =
  'hostler: the service says that GET /api/v0/webhook/{name}, as this command calls it, is deprecated';
const deprecation = '@1794700800';

test.each([
  [
    'since when and until when',
    { deprecation, sunset: 'Tue, 01 Jun 2027 00:00:00 GMT' },
    ' since 2026-11-15, and may be gone from 2027-06-01 on',
  ],
  ['since when', { deprecation }, ' since 2026-11-15'],
  ['what nobody can read', { deprecation: '?1', sunset: 'soon' }, ''],
  ['a day that no calendar has', { deprecation: '@99999999999999999' }, ''],
])('somebody at a terminal is told once of a deprecated call, with %s', async (_what, headers, days) => {
  const { exitCode, stdout, stderr } = await listWebhooks(headers, '', { isHeard: true });
  expect([exitCode, stderr]).toEqual([0, `${CALL}${days}; a newer hostler may not need it\n`]);
  expect(stdout).toContain('chat');
});

test('scripts are told of it only when they ask', async () => {
  expect((await listWebhooks({ deprecation })).stderr).toBe('');
  expect((await listWebhooks({ deprecation }, '--debug')).stderr).toContain(CALL);
});

test('nobody is told of anything where nothing is deprecated', async () => {
  expect((await listWebhooks({}, '--debug', { isHeard: true })).stderr).toBe('');
});
