// The streams of events that sessions open, and what streams tell of sessions. What ends elsewhere is in `session-servers.test.ts`.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toRecordName } from '../../src/domain/record-name.ts';
import { formatTimestamp } from '../../src/domain/timestamp.ts';
import { OpenStream } from '../harness/events/open-stream.ts';
import { QUICK_HASHER } from '../harness/quick-hasher.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { follow, SESSION_SECRET, signIn } from '../harness/sign-in.ts';
import { runSql } from '../harness/stores/stores.ts';

const SESSION = '/api/v0/session';
const WHO = '/api/v0/user';
const NETWORK = { type: 'none', options: {} };
/** Long enough to open a stream on a busy machine. */
const LASTS_MS = 1000;

let service: TestService;
let follower = '';
beforeAll(async () => {
  service = await startTestService('sqlite', {}, QUICK_HASHER);
  follower = await service.makeAccount('follows', 'viewer');
});
afterAll(() => service.stop());

test('a stream ends with the session that opened it, and no other does', async () => {
  const [one, other] = [await signIn(service, follower), await signIn(service, follower)];
  const [ending, staying] = [await follow(service, one.options), await follow(service, other.options)];
  await service.delete(SESSION, one.options);
  await ending.ended();
  await service.put('/api/v0/network/after-sign-out', NETWORK);
  await staying.has('network.created');
  expect(staying.text).not.toContain('account.');
  await service.delete('/api/v0/user/follows/sessions');
  await staying.ended();
});

test('a session is over at its end, and its streams with it', async () => {
  const { options } = await signIn(service, follower);
  const endsAt = formatTimestamp(Date.now() + LASTS_MS);
  await runSql(service.place, `update sessions set expires_at = '${endsAt}' where account = 'follows'`);
  const stream = await follow(service, options);
  await stream.ended();
  expect((await service.get(WHO, options)).status).toBe(401);
  const kept = () => service.store.reads.loginSessions.listByAccount(toRecordName('follows'));
  expect(await kept()).toHaveLength(1);
  await signIn(service);
  expect(await kept()).toHaveLength(0);
});

test('admins are told of sessions, never with the secret', async () => {
  const stream = await OpenStream.open(`${service.url}/api/v0/events`);
  onTestFinished(() => stream.close());
  const { options, cookie } = await signIn(service);
  await service.put('/api/v0/network/!', NETWORK, options);
  await service.delete(SESSION, options);
  const refused = await service.get(WHO, options);
  await stream.has('account.signed_out');
  const { text } = await service.get('/api/v0/audit?limit=1000');
  const secret = cookie.split('=')[1] ?? '';
  expect(secret).toMatch(SESSION_SECRET);
  for (const said of [stream.text, text, refused.text]) {
    expect(said).not.toMatch(SESSION_SECRET);
    expect(said).not.toContain(secret.slice(4));
  }
});
