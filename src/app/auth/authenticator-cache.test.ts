import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANN, AuthenticatorFixture, MAX_FAILED_LOGINS } from '../../../test/harness/authenticator-fixtures.ts';

describe('Authenticator cache', () => {
  let fixture: AuthenticatorFixture;
  beforeEach(async () => {
    fixture = await AuthenticatorFixture.open();
  });
  afterEach(() => fixture.close());

  test('needs no hash for a cached password, from any address', async () => {
    await fixture.login();
    expect([await fixture.outcome(), await fixture.outcome('right', '10.0.0.9')]).toEqual(['operator', 'operator']);
    expect(fixture.hasher.verifications).toBe(1);
  });

  test('returns a cached login for the same credentials and address', async () => {
    expect(fixture.cachedRole()).toBeUndefined();
    await fixture.login();
    expect([fixture.cachedRole(), fixture.cachedRole('wrong'), fixture.cachedRole('right', '10.0.0.9')]).toEqual([
      'operator',
      undefined,
      undefined,
    ]);
  });

  test('returns a cached login at most one second after the account was read', async () => {
    await fixture.login();
    fixture.nowMs = 600;
    await fixture.login();
    fixture.nowMs = 999;
    expect(fixture.cachedRole()).toBe('operator');
    fixture.nowMs = 1000;
    expect(fixture.cachedRole()).toBeUndefined();
    await fixture.login();
    fixture.nowMs = 1999;
    expect(fixture.cachedRole()).toBe('operator');
  });

  test('is invalidated by an account change on this server', async () => {
    await fixture.login();
    await fixture.put('new', 'viewer');
    expect(fixture.cachedRole()).toBeUndefined();
  });

  test('is invalidated by too many failed logins', async () => {
    await fixture.login();
    for (let count = 0; count <= MAX_FAILED_LOGINS; count += 1) await fixture.login('wrong');
    expect(fixture.cachedRole()).toBeUndefined();
  });

  test('keeps a password for one minute', async () => {
    await fixture.login();
    fixture.nowMs = 60_000;
    await fixture.login();
    expect(fixture.hasher.verifications).toBe(1);
    fixture.nowMs = 60_001;
    expect(await fixture.outcome()).toBe('operator');
    expect(fixture.hasher.verifications).toBe(2);
  });

  test('does not cache wrong passwords', async () => {
    await fixture.login('wrong');
    await fixture.login('wrong');
    expect(fixture.hasher.verifications).toBe(2);
  });

  describe('with a cached password', () => {
    beforeEach(() => fixture.login());

    test('applies an account change at once', async () => {
      await fixture.put('new', 'viewer');
      expect([await fixture.outcome('right'), await fixture.outcome('new')]).toEqual(['unauthorized', 'viewer']);
    });

    test('applies a role change at once', async () => {
      await fixture.put('right', 'viewer');
      expect(await fixture.outcome()).toBe('viewer');
    });

    test('applies the removal of the account at once', async () => {
      await fixture.removeOnOtherServer();
      fixture.cache.invalidateAccount(ANN);
      expect(await fixture.outcome()).toBe('unauthorized');
    });

    test('applies an account change by another server within one second', async () => {
      await fixture.putOnOtherServer('new', 'viewer');
      fixture.nowMs = 999;
      expect(await fixture.outcome('right')).toBe('operator');
      fixture.nowMs = 1000;
      expect([await fixture.outcome('right'), await fixture.outcome('new')]).toEqual(['unauthorized', 'viewer']);
    });

    test('applies the removal by another server within one second', async () => {
      await fixture.removeOnOtherServer();
      fixture.nowMs = 1000;
      expect(await fixture.outcome()).toBe('unauthorized');
    });

    test('computes no further hash while the account is unchanged', async () => {
      for (fixture.nowMs = 0; fixture.nowMs < 60_000; fixture.nowMs += 500)
        expect(await fixture.outcome()).toBe('operator');
      expect(fixture.hasher.verifications).toBe(1);
    });
  });
});
