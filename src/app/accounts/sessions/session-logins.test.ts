import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_ACTOR } from '../../../domain/accounts/account.ts';
import { CONFIRMATION_TTL_MS } from '../../../domain/accounts/login-session.ts';
import { AppError } from '../../../domain/errors.ts';
import { toRecordName } from '../../../domain/record-name.ts';
import type { Secret } from '../../../domain/secret.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import { VirtualClock } from '../../../lib/time/virtual-clock.ts';
import { openSqlite } from '../../../store/sqlite/open-sqlite.ts';
import type { Store } from '../../../store/store.ts';
import { newAccount } from '../put-account.ts';
import { beginSession } from './begin-session.ts';
import { endSession, endSessions } from './end-session.ts';
import { SessionLogins } from './session-logins.ts';

const ANN = toRecordName('ann');
const HOME = '10.0.0.1';
const HOUR_MS = 3_600_000;

describe('a session', () => {
  let folder: string;
  let clock: VirtualClock;
  let store: Store;
  let lookups: number;
  let here: SessionLogins;
  let elsewhere: SessionLogins;
  let duringLookup: () => void;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-sessions-'));
    clock = new VirtualClock();
    store = await openSqlite(folder, { clock });
    [lookups, duringLookup] = [0, () => {}];
    const counted: Store = {
      ...store,
      get reads() {
        const { loginSessions } = store.reads;
        const withDigest = async (digest: string) => {
          lookups += 1;
          const found = await loginSessions.withDigest(digest);
          duringLookup();
          return found;
        };
        const nowMs = () => store.reads.nowMs();
        return {
          ...store.reads,
          loginSessions: { of: loginSessions.of.bind(loginSessions), withDigest },
          nowMs,
        };
      },
    };
    here = new SessionLogins({ store: counted, clock });
    elsewhere = new SessionLogins({ store, clock });
    await store.transaction(records => records.accounts.insertOrLock(newAccount(ANN, 'viewer', '', 0)));
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const portsOf = (logins: SessionLogins) => ({
    ...{ store, clock },
    sessions: { lifetimeS: HOUR_MS / 1000, changed: () => logins.changed() },
  });
  const actor = async () => ({
    ...{ ...LOCAL_ACTOR, account: ANN },
    revision: (await store.reads.accounts.get(ANN))?.revision ?? '',
  });
  async function begin() {
    const begun = await beginSession(portsOf(here), await actor());
    if (begun instanceof AppError) throw new Error(begun.detail);
    return begun;
  }
  /** As a request does it: the short way first. */
  const call = async (secret: Secret, address = HOME) =>
    here.recent(secret, address) ?? (await here.find(secret, address));
  const endBy = async (logins: SessionLogins, id: string) =>
    endSession(portsOf(logins), { ...(await actor()), session: { id, expiresAtMs: 0, isConfirmed: false } });

  test('lets in as the account, with the session and until when it lasts', async () => {
    const { secret, session } = await begin();
    await clock.advance(1000);
    expect(await call(secret)).toEqual({
      ...{ account: 'ann', role: 'viewer', revision: (await actor()).revision },
      session: { id: session.id, expiresAtMs: HOUR_MS, isConfirmed: false },
    });
    expect(session.expiresAt).toBe(formatTimestamp(clock.now() - 1000 + HOUR_MS));
  });

  test('is confirmed for five minutes', async () => {
    const { secret, session } = await begin();
    const isConfirmed = async () => (await here.find(secret, HOME))?.session?.isConfirmed;
    expect(await isConfirmed()).toBe(false);
    const confirmedAt = formatTimestamp(clock.now());
    await store.transaction(({ loginSessions }) => loginSessions.confirm(session.id, confirmedAt));
    await clock.advance(CONFIRMATION_TTL_MS - 1);
    expect(await isConfirmed()).toBe(true);
    await clock.advance(1);
    expect(await isConfirmed()).toBe(false);
    clock.setBack(2 * CONFIRMATION_TTL_MS);
    expect(await isConfirmed()).toBe(false);
  });

  test('is looked up once in a second for the same caller', async () => {
    const { secret } = await begin();
    for (const address of [HOME, HOME, HOME, '10.0.0.2']) await call(secret, address);
    expect(lookups).toBe(2);
    await clock.advance(999);
    await call(secret);
    expect(lookups).toBe(2);
    await clock.advance(1);
    await call(secret);
    expect(lookups).toBe(3);
  });

  test('does not count beyond its end, however short before it was looked up', async () => {
    const { secret } = await begin();
    await clock.advance(HOUR_MS - 1);
    expect(await call(secret)).toBeDefined();
    await clock.advance(1);
    expect(here.recent(secret, HOME)).toBeUndefined();
    expect(await call(secret)).toBeUndefined();
  });

  test('that was ended here does not count from then on, and others do', async () => {
    const [one, other] = [await begin(), await begin()];
    await Promise.all([call(one.secret), call(other.secret)]);
    await endBy(here, one.session.id);
    expect([await call(one.secret), (await call(other.secret))?.account]).toEqual([undefined, 'ann']);
  });

  test('that was ended elsewhere does not count after a second', async () => {
    const { secret, session } = await begin();
    await call(secret);
    await endBy(elsewhere, session.id);
    await clock.advance(1000);
    expect(await call(secret)).toBeUndefined();
  });

  test('that is ended while it is looked up is not remembered', async () => {
    const { secret } = await begin();
    duringLookup = () => here.changed();
    expect(await call(secret)).toBeDefined();
    expect(here.recent(secret, HOME)).toBeUndefined();
  });

  test('is one of fifty: the oldest goes, and is told to have ended', async () => {
    const all = [];
    for (let made = 0; made < 51; made += 1) {
      all.push(await begin());
      await clock.advance(1);
    }
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error('none was made');
    expect([await call(first.secret), (await call(second.secret))?.account]).toEqual([undefined, 'ann']);
    const told = await store.reads.outbox.waiting(1000);
    expect(told.filter(({ type }) => type === 'account.signed_out').map(({ dataJson }) => dataJson)).toEqual([
      JSON.stringify({ sessions: [first.session.id] }),
    ]);
  });

  test('is removed when another is made and it is over, or the account has changed', async () => {
    await begin();
    await store.transaction(records => records.accounts.update(newAccount(ANN, 'viewer', '', 0)));
    const second = await begin();
    expect((await store.reads.loginSessions.of(ANN)).map(({ id }) => id)).toEqual([second.session.id]);
    await clock.advance(HOUR_MS);
    const third = await begin();
    expect((await store.reads.loginSessions.of(ANN)).map(({ id }) => id)).toEqual([third.session.id]);
    const told = await store.reads.outbox.waiting(1000);
    expect(told.map(({ type }) => type)).not.toContain('account.signed_out');
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'changed',
      () => store.transaction(records => records.accounts.update(newAccount(ANN, 'viewer', '', 0))),
    ],
    ['removed', () => store.transaction(records => records.accounts.remove(ANN))],
  ])('is not made for who was let in before the account was %s elsewhere', async (_what, happen) => {
    const before = await actor();
    await happen();
    const begun = await beginSession(portsOf(here), before);
    expect(begun).toMatchObject({ code: 'unauthorized' });
    expect(await store.reads.loginSessions.of(ANN)).toEqual([]);
  });

  test('ends with all others of its account, and of an account that is not there none do', async () => {
    const [one, other] = [await begin(), await begin()];
    expect(await endSessions(portsOf(here), LOCAL_ACTOR, ANN)).toBeUndefined();
    expect([await call(one.secret), await call(other.secret)]).toEqual([undefined, undefined]);
    expect(await endSessions(portsOf(here), LOCAL_ACTOR, toRecordName('bob'))).toMatchObject({
      code: 'not_found',
    });
  });

  test('that is ended twice is told of once, and a caller without one ends none', async () => {
    const { session } = await begin();
    await endSession(portsOf(here), await actor());
    expect(await store.reads.loginSessions.of(ANN)).toHaveLength(1);
    await endBy(here, session.id);
    await endBy(here, session.id);
    const told = await store.reads.outbox.waiting(1000);
    expect(told.map(({ type }) => type)).toEqual(['account.signed_in', 'account.signed_out']);
  });

  test('has a secret that is neither kept nor told', async () => {
    const { secret } = await begin();
    await call(secret);
    const text = secret.reveal();
    const kept = inspect([here, await store.reads.loginSessions.of(ANN)], { depth: null, showHidden: true });
    expect(kept).not.toContain(text.slice(4));
    expect(JSON.stringify(await store.reads.outbox.waiting(1000))).not.toContain(text.slice(4));
  });
});
