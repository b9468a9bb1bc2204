import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { CONFIRMATION_TTL_MS } from '../../domain/accounts/login-session.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { openSqlite } from '../../store/sqlite/open-sqlite.ts';
import type { Store } from '../../store/store.ts';
import { newAccount } from '../accounts/manage-accounts.ts';
import { LoginCache } from './login-cache.ts';
import { SessionAuthenticator } from './session-authenticator.ts';
import { createSession, endSession, endSessions } from './sessions.ts';

const ANN = toRecordName('ann');
const HOME = '10.0.0.1';
const HOUR_MS = 3_600_000;

describe('SessionAuthenticator', () => {
  let folder: string;
  let clock: VirtualClock;
  let store: Store;
  let lookups: number;
  let localServer: SessionAuthenticator;
  let localCache: LoginCache;
  let otherCache: LoginCache;
  let duringLookup: () => void;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-sessions-'));
    clock = new VirtualClock();
    store = await openSqlite(folder, { clock });
    [lookups, duringLookup] = [0, () => {}];
    const countingStore: Store = {
      ...store,
      get reads() {
        const { loginSessions } = store.reads;
        const findByDigest = async (digest: string) => {
          lookups += 1;
          const found = await loginSessions.findByDigest(digest);
          duringLookup();
          return found;
        };
        const nowMs = () => store.reads.nowMs();
        return {
          ...store.reads,
          loginSessions: { listByAccount: loginSessions.listByAccount.bind(loginSessions), findByDigest },
          nowMs,
        };
      },
    };
    [localCache, otherCache] = [new LoginCache(clock), new LoginCache(clock)];
    localServer = new SessionAuthenticator({ store: countingStore, cache: localCache });
    await store.transaction(records => records.accounts.insertOrLock(newAccount(ANN, 'viewer', '', 0)));
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const portsFor = (cache: LoginCache) => ({
    ...{ store, clock },
    sessions: { lifetimeS: HOUR_MS / 1000, invalidate: () => cache.invalidateSessions() },
  });
  const actor = async () => ({
    ...{ ...LOCAL_ACTOR, account: ANN },
    revision: (await store.reads.accounts.get(ANN))?.revision ?? '',
  });
  async function signIn() {
    const created = await createSession(portsFor(localCache), await actor());
    if (created instanceof AppError) throw new Error(created.detail);
    return created;
  }
  /** Uses the cache first, like a request. */
  const authenticate = async (secret: Secret, address = HOME) =>
    localServer.findCachedLogin(secret, address) ?? (await localServer.authenticate(secret, address));
  const endBy = async (cache: LoginCache, id: string) =>
    endSession(portsFor(cache), {
      ...(await actor()),
      session: { id, expiresAtMs: 0, isConfirmed: false },
    });

  test('returns account, role, session and expiry', async () => {
    const { secret, session } = await signIn();
    await clock.advance(1000);
    expect(await authenticate(secret)).toEqual({
      ...{ account: 'ann', role: 'viewer', revision: (await actor()).revision },
      session: { id: session.id, expiresAtMs: HOUR_MS, isConfirmed: false },
    });
    expect(session.expiresAt).toBe(formatTimestamp(clock.now() - 1000 + HOUR_MS));
  });

  test('treats a session as confirmed for five minutes', async () => {
    const { secret, session } = await signIn();
    const isConfirmed = async () => (await localServer.authenticate(secret, HOME))?.session?.isConfirmed;
    expect(await isConfirmed()).toBe(false);
    const confirmedAt = formatTimestamp(clock.now());
    await store.transaction(({ loginSessions }) => loginSessions.confirm(session.id, confirmedAt));
    await clock.advance(CONFIRMATION_TTL_MS - 1);
    expect(await isConfirmed()).toBe(true);
    await clock.advance(1);
    expect(await isConfirmed()).toBe(false);
    clock.setWallClockBack(2 * CONFIRMATION_TTL_MS);
    expect(await isConfirmed()).toBe(false);
  });

  test('reads a session at most once per second for the same client', async () => {
    const { secret } = await signIn();
    for (const address of [HOME, HOME, HOME, '10.0.0.2']) await authenticate(secret, address);
    expect(lookups).toBe(2);
    await clock.advance(999);
    await authenticate(secret);
    expect(lookups).toBe(2);
    await clock.advance(1);
    await authenticate(secret);
    expect(lookups).toBe(3);
  });

  test('rejects an expired session even if it was read shortly before', async () => {
    const { secret } = await signIn();
    await clock.advance(HOUR_MS - 1);
    expect(await authenticate(secret)).toBeDefined();
    await clock.advance(1);
    expect(localServer.findCachedLogin(secret, HOME)).toBeUndefined();
    expect(await authenticate(secret)).toBeUndefined();
  });

  test('rejects a session at once after it ends on this server, and keeps others', async () => {
    const [first, second] = [await signIn(), await signIn()];
    await Promise.all([authenticate(first.secret), authenticate(second.secret)]);
    await endBy(localCache, first.session.id);
    expect([await authenticate(first.secret), (await authenticate(second.secret))?.account]).toEqual([
      undefined,
      'ann',
    ]);
  });

  test('rejects a session within one second after it ends on another server', async () => {
    const { secret, session } = await signIn();
    await authenticate(secret);
    await endBy(otherCache, session.id);
    await clock.advance(1000);
    expect(await authenticate(secret)).toBeUndefined();
  });

  test('does not cache a session that ends while it is read', async () => {
    const { secret } = await signIn();
    duringLookup = () => localCache.invalidateSessions();
    expect(await authenticate(secret)).toBeDefined();
    expect(localServer.findCachedLogin(secret, HOME)).toBeUndefined();
  });

  test('keeps 50 sessions per account, ends the oldest and emits an event', async () => {
    const all = [];
    for (let count = 0; count < 51; count += 1) {
      all.push(await signIn());
      await clock.advance(1);
    }
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error('no session was created');
    expect([await authenticate(first.secret), (await authenticate(second.secret))?.account]).toEqual([
      undefined,
      'ann',
    ]);
    const events = await store.reads.outbox.listPending(1000);
    expect(events.filter(({ type }) => type === 'account.signed_out').map(({ dataJson }) => dataJson)).toEqual([
      JSON.stringify({ sessions: [first.session.id] }),
    ]);
  });

  test('removes expired and outdated sessions when another is created', async () => {
    await signIn();
    await store.transaction(records => records.accounts.update(newAccount(ANN, 'viewer', '', 0)));
    const second = await signIn();
    expect((await store.reads.loginSessions.listByAccount(ANN)).map(({ id }) => id)).toEqual([second.session.id]);
    await clock.advance(HOUR_MS);
    const third = await signIn();
    expect((await store.reads.loginSessions.listByAccount(ANN)).map(({ id }) => id)).toEqual([third.session.id]);
    const events = await store.reads.outbox.listPending(1000);
    expect(events.map(({ type }) => type)).not.toContain('account.signed_out');
  });

  test.each<[string, () => Promise<unknown>]>([
    ['changed', () => store.transaction(records => records.accounts.update(newAccount(ANN, 'viewer', '', 0)))],
    ['removed', () => store.transaction(records => records.accounts.remove(ANN))],
  ])(
    'does not create a session if the account was %s on another server after the authentication',
    async (_case, makeChange) => {
      const before = await actor();
      await makeChange();
      const created = await createSession(portsFor(localCache), before);
      expect(created).toMatchObject({ code: 'unauthorized' });
      expect(await store.reads.loginSessions.listByAccount(ANN)).toEqual([]);
    },
  );

  test('endSessions ends all sessions of an account and returns not_found for an unknown account', async () => {
    const [first, second] = [await signIn(), await signIn()];
    expect(await endSessions(portsFor(localCache), LOCAL_ACTOR, ANN)).toBeUndefined();
    expect([await authenticate(first.secret), await authenticate(second.secret)]).toEqual([undefined, undefined]);
    expect(await endSessions(portsFor(localCache), LOCAL_ACTOR, toRecordName('bob'))).toMatchObject({
      code: 'not_found',
    });
  });

  test('endSession emits one event if it is repeated, and does nothing without a session', async () => {
    const { session } = await signIn();
    await endSession(portsFor(localCache), await actor());
    expect(await store.reads.loginSessions.listByAccount(ANN)).toHaveLength(1);
    await endBy(localCache, session.id);
    await endBy(localCache, session.id);
    const events = await store.reads.outbox.listPending(1000);
    expect(events.map(({ type }) => type)).toEqual(['account.signed_in', 'account.signed_out']);
  });

  test('stores and emits no session secret', async () => {
    const { secret } = await signIn();
    await authenticate(secret);
    const text = secret.reveal();
    const inspected = inspect([localServer, localCache, await store.reads.loginSessions.listByAccount(ANN)], {
      depth: null,
      showHidden: true,
    });
    expect(inspected).not.toContain(text.slice(4));
    expect(JSON.stringify(await store.reads.outbox.listPending(1000))).not.toContain(text.slice(4));
  });
});
