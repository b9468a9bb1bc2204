import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANN, AuthenticatorLab, HOME, LIMIT } from '../../../../test/harness/authenticator-lab.ts';
import type { Actor } from '../../../domain/accounts/account.ts';
import { LOCAL_ACTOR } from '../../../domain/accounts/account.ts';
import { AppError } from '../../../domain/errors.ts';
import { Secret } from '../../../domain/secret.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import type { SessionPorts } from './begin-session.ts';
import { beginSession } from './begin-session.ts';
import { confirmSession } from './confirm-session.ts';
import { endSession } from './end-session.ts';

describe('confirming a session', () => {
  let lab: AuthenticatorLab;
  let ports: SessionPorts;
  let changes: number;
  let ann: Actor;

  /** Ann, as she calls in a new session. */
  async function signIn(): Promise<Actor> {
    const revision = (await lab.store.reads.accounts.get(ANN))?.revision ?? '';
    const actor: Actor = { ...LOCAL_ACTOR, account: ANN, address: HOME, revision };
    const begun = await beginSession(ports, actor);
    if (begun instanceof AppError) throw new Error(begun.detail);
    return { ...actor, session: { id: begun.session.id, expiresAtMs: 0, isConfirmed: false } };
  }
  const confirm = (password = 'right') => confirmSession(ports, lab.authenticator, ann, new Secret(password));
  const confirmationTimes = async () =>
    (await lab.store.reads.loginSessions.of(ANN)).map(({ confirmedAt }) => confirmedAt);

  /** Confirms, and makes a change while the password is verified. */
  async function confirmDuring(makeChange: () => Promise<unknown>) {
    const { promise, resolve } = Promise.withResolvers<void>();
    lab.hasher.gate = promise;
    const confirmed = confirm();
    await expect.poll(() => lab.hasher.verifications).toBe(1);
    await makeChange();
    resolve();
    return confirmed;
  }

  beforeEach(async () => {
    lab = await AuthenticatorLab.open();
    changes = 0;
    const changed = () => {
      changes += 1;
    };
    ports = { store: lab.store, clock: systemClock, sessions: { lifetimeS: 3600, changed } };
    ann = await signIn();
  });
  afterEach(() => lab.close());

  test('stores the time of the confirmation and discards cached logins', async () => {
    const changesBefore = changes;
    expect(await confirm()).toEqual({ confirmedUntil: expect.any(String) });
    expect(await confirmationTimes()).toEqual([expect.any(String)]);
    expect(changes).toBe(changesBefore + 1);
  });

  test('does not cache the password as HTTP Basic credentials', async () => {
    await confirm();
    const header = `Basic ${Buffer.from(`${ANN}:right`).toString('base64')}`;
    expect(lab.authenticator.recentCaller(new Secret(header), HOME)).toBeUndefined();
  });

  test('returns unauthorized if the session ends meanwhile, and confirms no other session', async () => {
    await signIn();
    expect(await confirmDuring(() => endSession(ports, ann))).toMatchObject({ code: 'unauthorized' });
    expect(await confirmationTimes()).toEqual([null]);
  });

  test('returns unauthorized if another server changes the account meanwhile', async () => {
    expect(await confirmDuring(() => lab.putElsewhere('right', 'viewer'))).toMatchObject({
      code: 'unauthorized',
    });
    expect(await confirmationTimes()).toEqual([null]);
  });

  test('returns unauthorized if the account is removed meanwhile', async () => {
    expect(await confirmDuring(() => lab.removeElsewhere())).toMatchObject({ code: 'unauthorized' });
    expect((await lab.store.reads.outbox.waiting(100)).map(({ type }) => type)).not.toContain(
      'account.password_confirmed',
    );
  });

  test('returns wrong_password if this server changes the account meanwhile', async () => {
    expect(await confirmDuring(() => lab.put('new', 'operator'))).toMatchObject({ code: 'wrong_password' });
    expect((await confirmationTimes()).filter(time => time !== null)).toEqual([]);
  });

  test('returns too_many_failed_logins after too many wrong passwords, also for the right one', async () => {
    for (let count = 0; count < LIMIT; count += 1)
      expect(await confirm('wrong')).toMatchObject({ code: 'wrong_password' });
    expect(await confirm()).toMatchObject({ code: 'too_many_failed_logins' });
    expect(await confirmationTimes()).toEqual([null]);
  });
});
