import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUICK_HASHER } from '../harness/quick-hasher.ts';
import type { RequestOptions, TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, startTestService } from '../harness/service.ts';
import { follow, signIn } from '../harness/sign-in.ts';
import { describePostgres } from '../harness/stores/stores.ts';

const USER = '/api/v0/user/somebody';

describePostgres('sessions of two servers on one PostgreSQL', () => {
  let services: [TestService, TestService];
  let as = '';
  beforeAll(async () => {
    const key = { HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') };
    const first = await startTestService('postgres', key, QUICK_HASHER);
    services = [
      first,
      await startTestService('postgres', { ...key, HOSTLER_STORE: first.place.location }, QUICK_HASHER),
    ];
    as = await first.makeAccount('somebody', 'viewer');
  });
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });

  test.each<[string, (one: TestService, options: RequestOptions) => Promise<unknown>]>([
    ['its sign-out', (one, options) => one.delete('/api/v0/session', options)],
    ['the sign-out of all', one => one.delete(`${USER}/sessions`)],
    ['another password', one => one.put(`${USER}/password`, { password: 'later' })],
  ])('count on both, and end on the other with %s', async (_what, end) => {
    const [one, other] = services;
    const { options } = await signIn(one, as);
    const status = async () => (await other.get('/api/v0/user', options)).status;
    const stream = await follow(other, options);
    expect(await status()).toBe(200);
    await end(one, options);
    await stream.ended();
    // What ended the stream has been heard of by all on that server.
    expect(await status()).toBe(401);
  });

  test('are confirmed on both, at once', async () => {
    const [one, other] = services;
    const { options } = await signIn(one);
    // The other server knows the session from before.
    expect((await other.get('/api/v0/user', options)).status).toBe(200);
    await one.put('/api/v0/session/confirmation', { current_password: ADMIN_PASSWORD }, options);
    expect((await other.put('/api/v0/token/of-other', {}, options)).status).toBe(201);
  });
});
