import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import type { RequestOptions, TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { followEvents, signIn } from '../harness/session-fixtures.ts';
import { describePostgres } from '../harness/stores/stores.ts';

const USER = '/api/v0/user/observer';

describePostgres('sessions of two servers on one PostgreSQL', () => {
  let services: [TestService, TestService];
  let as = '';
  beforeAll(async () => {
    const key = { HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') };
    const first = await startTestService('postgres', key);
    services = [first, await startTestService('postgres', { ...key, HOSTLER_STORE: first.database.location })];
    as = await first.makeAccount('observer', 'viewer');
  });
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });

  test.each<[string, (firstServer: TestService, options: RequestOptions) => Promise<unknown>]>([
    ['a sign-out', (firstServer, options) => firstServer.delete('/api/v0/session', options)],
    ['the removal of all sessions', firstServer => firstServer.delete(`${USER}/sessions`)],
    ['a password change', firstServer => firstServer.put(`${USER}/password`, { password: 'later' })],
  ])('are valid on both servers and end on both after %s', async (_case, endSession) => {
    const [firstServer, secondServer] = services;
    const { options } = await signIn(firstServer, as);
    const status = async () => (await secondServer.get('/api/v0/user', options)).status;
    const stream = await followEvents(secondServer, options);
    expect(await status()).toBe(200);
    await endSession(firstServer, options);
    await stream.waitForEnd();
    // All requests on that server know the change that ended the stream.
    expect(await status()).toBe(401);
  });

  test('a confirmation is valid on both servers immediately', async () => {
    const [firstServer, secondServer] = services;
    const { options } = await signIn(firstServer);
    // The other server has the session in its cache.
    expect((await secondServer.get('/api/v0/user', options)).status).toBe(200);
    await firstServer.put('/api/v0/session/confirmation', { current_password: ADMIN_PASSWORD }, options);
    expect((await secondServer.put('/api/v0/token/of-other', {}, options)).status).toBe(201);
  });
});
