// Event streams of sessions, and events about sessions. `session-servers.test.ts` tests several servers.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toRecordName } from '../../src/domain/record-name.ts';
import { formatTimestamp } from '../../src/domain/timestamp.ts';
import { OpenStream } from '../harness/events/event-streams.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { followEvents, SESSION_SECRET, signIn } from '../harness/session-fixtures.ts';
import { runSql } from '../harness/stores/stores.ts';

const SESSION = '/api/v0/session';
const USER = '/api/v0/user';
const NETWORK = { type: 'none', options: {} };
/** Long enough to open a stream on a busy machine. */
const LIFETIME_MS = 1000;

let service: TestService;
let viewer = '';
beforeAll(async () => {
  service = await startTestService('sqlite');
  viewer = await service.makeAccount('follows', 'viewer');
});
afterAll(() => service.stop());

test('an event stream ends with its own session only', async () => {
  const [firstSession, secondSession] = [await signIn(service, viewer), await signIn(service, viewer)];
  const [firstStream, secondStream] = [
    await followEvents(service, firstSession.options),
    await followEvents(service, secondSession.options),
  ];
  await service.delete(SESSION, firstSession.options);
  await firstStream.waitForEnd();
  await service.put('/api/v0/network/after-sign-out', NETWORK);
  await secondStream.waitFor('network.created');
  expect(secondStream.text).not.toContain('account.');
  await service.delete('/api/v0/user/follows/sessions');
  await secondStream.waitForEnd();
});

test('a session and its streams end at expires_at', async () => {
  const { options } = await signIn(service, viewer);
  const expiresAt = formatTimestamp(Date.now() + LIFETIME_MS);
  await runSql(service.database, `update sessions set expires_at = '${expiresAt}' where account = 'follows'`);
  const stream = await followEvents(service, options);
  await stream.waitForEnd();
  expect((await service.get(USER, options)).status).toBe(401);
  const storedSessions = () => service.store.reads.loginSessions.listByAccount(toRecordName('follows'));
  expect(await storedSessions()).toHaveLength(1);
  await signIn(service);
  expect(await storedSessions()).toHaveLength(0);
});

test('admins receive events about sessions without the session secret', async () => {
  const stream = await OpenStream.open(`${service.url}/api/v0/events`);
  onTestFinished(() => stream.close());
  const { options, cookie } = await signIn(service);
  await service.put('/api/v0/network/!', NETWORK, options);
  await service.delete(SESSION, options);
  const refused = await service.get(USER, options);
  await stream.waitFor('account.signed_out');
  const { text } = await service.get('/api/v0/audit?limit=1000');
  const secret = cookie.split('=')[1] ?? '';
  expect(secret).toMatch(SESSION_SECRET);
  for (const output of [stream.text, text, refused.text]) {
    expect(output).not.toMatch(SESSION_SECRET);
    expect(output).not.toContain(secret.slice(4));
  }
});
