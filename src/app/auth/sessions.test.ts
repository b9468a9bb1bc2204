import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ANN,
  AuthenticatorFixture,
  HOME_ADDRESS,
  MAX_FAILED_LOGINS,
} from '../../../test/harness/authenticator-fixtures.ts';
import type { Actor } from '../../domain/accounts/account.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { SessionPorts } from './sessions.ts';
import { confirmSession, createSession, endSession } from './sessions.ts';

describe('confirmSession', () => {
  let fixture: AuthenticatorFixture;
  let ports: SessionPorts;
  let changes: number;
  let ann: Actor;

  /** Returns the actor of a new session. */
  async function signIn(): Promise<Actor> {
    const revision = (await fixture.store.reads.accounts.get(ANN))?.revision ?? '';
    const actor: Actor = { ...LOCAL_ACTOR, account: ANN, address: HOME_ADDRESS, revision };
    const created = await createSession(ports, actor);
    if (created instanceof AppError) throw new Error(created.detail);
    return { ...actor, session: { id: created.session.id, expiresAtMs: 0, isConfirmed: false } };
  }
  const confirm = (password = 'right') => confirmSession(ports, fixture.authenticator, ann, new Secret(password));
  const confirmationTimes = async () =>
    (await fixture.store.reads.loginSessions.listByAccount(ANN)).map(({ confirmedAt }) => confirmedAt);

  /** Changes something while the password is being verified. */
  async function confirmDuring(makeChange: () => Promise<unknown>) {
    const { promise, resolve } = Promise.withResolvers<void>();
    fixture.hasher.gate = promise;
    const confirmed = confirm();
    await expect.poll(() => fixture.hasher.verifications).toBe(1);
    await makeChange();
    resolve();
    return confirmed;
  }

  beforeEach(async () => {
    fixture = await AuthenticatorFixture.open();
    changes = 0;
    const invalidate = () => {
      changes += 1;
    };
    ports = { store: fixture.store, clock: systemClock, sessions: { lifetimeS: 3600, invalidate } };
    ann = await signIn();
  });
  afterEach(() => fixture.close());

  test('stores the time of the confirmation and discards cached logins', async () => {
    const changesBefore = changes;
    expect(await confirm()).toEqual({ confirmedUntil: expect.any(String) });
    expect(await confirmationTimes()).toEqual([expect.any(String)]);
    expect(changes).toBe(changesBefore + 1);
  });

  test('does not cache the password as HTTP Basic credentials', async () => {
    await confirm();
    const header = `Basic ${Buffer.from(`${ANN}:right`).toString('base64')}`;
    expect(fixture.authenticator.findCachedLogin(new Secret(header), HOME_ADDRESS)).toBeUndefined();
  });

  test('returns unauthorized if the session ends concurrently, and confirms no other session', async () => {
    await signIn();
    expect(await confirmDuring(() => endSession(ports, ann))).toMatchObject({ code: 'unauthorized' });
    expect(await confirmationTimes()).toEqual([null]);
  });

  test('returns unauthorized if another server changes the account concurrently', async () => {
    expect(await confirmDuring(() => fixture.putOnOtherServer('right', 'viewer'))).toMatchObject({
      code: 'unauthorized',
    });
    expect(await confirmationTimes()).toEqual([null]);
  });

  test('returns unauthorized if the account is removed concurrently', async () => {
    expect(await confirmDuring(() => fixture.removeOnOtherServer())).toMatchObject({ code: 'unauthorized' });
    expect((await fixture.store.reads.outbox.listPending(100)).map(({ type }) => type)).not.toContain(
      'account.password_confirmed',
    );
  });

  test('returns wrong_password if this server changes the account concurrently', async () => {
    expect(await confirmDuring(() => fixture.put('new', 'operator'))).toMatchObject({
      code: 'wrong_password',
    });
    expect((await confirmationTimes()).filter(time => time !== null)).toEqual([]);
  });

  test('returns too_many_failed_logins after too many wrong passwords, also for the right one', async () => {
    for (let count = 0; count < MAX_FAILED_LOGINS; count += 1)
      expect(await confirm('wrong')).toMatchObject({ code: 'wrong_password' });
    expect(await confirm()).toMatchObject({ code: 'too_many_failed_logins' });
    expect(await confirmationTimes()).toEqual([null]);
  });
});
