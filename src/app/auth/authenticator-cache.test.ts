import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANN, AuthenticatorLab, LIMIT } from '../../../test/harness/authenticator-lab.ts';

describe('authentication of who was here before', () => {
  let fixture: AuthenticatorLab;
  beforeEach(async () => {
    fixture = await AuthenticatorLab.open();
  });
  afterEach(() => fixture.close());

  test('costs nothing for a login that is remembered, from anywhere', async () => {
    await fixture.login();
    expect([await fixture.outcome(), await fixture.outcome('right', '10.0.0.9')]).toEqual([
      'operator',
      'operator',
    ]);
    expect(fixture.hasher.verifications).toBe(1);
  });

  test('knows a caller again at once, with the same credentials from the same address', async () => {
    expect(fixture.recent()).toBeUndefined();
    await fixture.login();
    expect([fixture.recent(), fixture.recent('wrong'), fixture.recent('right', '10.0.0.9')]).toEqual([
      'operator',
      undefined,
      undefined,
    ]);
  });

  test('knows a caller again no longer than a second after the account was read', async () => {
    await fixture.login();
    fixture.nowMs = 600;
    await fixture.login();
    fixture.nowMs = 999;
    expect(fixture.recent()).toBe('operator');
    fixture.nowMs = 1000;
    expect(fixture.recent()).toBeUndefined();
    await fixture.login();
    fixture.nowMs = 1999;
    expect(fixture.recent()).toBe('operator');
  });

  test('knows nobody again once an account has changed here', async () => {
    await fixture.login();
    await fixture.put('new', 'viewer');
    expect(fixture.recent()).toBeUndefined();
  });

  test('knows nobody again once somebody has guessed too often', async () => {
    await fixture.login();
    for (let count = 0; count <= LIMIT; count += 1) await fixture.login('wrong');
    expect(fixture.recent()).toBeUndefined();
  });

  test('remembers a login for one minute only', async () => {
    await fixture.login();
    fixture.nowMs = 60_000;
    await fixture.login();
    expect(fixture.hasher.verifications).toBe(1);
    fixture.nowMs = 60_001;
    expect(await fixture.outcome()).toBe('operator');
    expect(fixture.hasher.verifications).toBe(2);
  });

  test('does not remember what was wrong', async () => {
    await fixture.login('wrong');
    await fixture.login('wrong');
    expect(fixture.hasher.verifications).toBe(2);
  });

  describe('of a login that was remembered', () => {
    beforeEach(() => fixture.login());

    test('a change of the account counts at once', async () => {
      await fixture.put('new', 'viewer');
      expect([await fixture.outcome('right'), await fixture.outcome('new')]).toEqual([
        'unauthorized',
        'viewer',
      ]);
    });

    test('a change of the role alone counts at once', async () => {
      await fixture.put('right', 'viewer');
      expect(await fixture.outcome()).toBe('viewer');
    });

    test('the removal of the account counts at once', async () => {
      await fixture.removeElsewhere();
      fixture.authenticator.invalidateAccount(ANN);
      expect(await fixture.outcome()).toBe('unauthorized');
    });

    test('a change by another server counts within a second', async () => {
      await fixture.putElsewhere('new', 'viewer');
      fixture.nowMs = 999;
      expect(await fixture.outcome('right')).toBe('operator');
      fixture.nowMs = 1000;
      expect([await fixture.outcome('right'), await fixture.outcome('new')]).toEqual([
        'unauthorized',
        'viewer',
      ]);
    });

    test('its removal by another server counts within a second', async () => {
      await fixture.removeElsewhere();
      fixture.nowMs = 1000;
      expect(await fixture.outcome()).toBe('unauthorized');
    });

    test('nothing is verified again while the account stays as it is', async () => {
      for (fixture.nowMs = 0; fixture.nowMs < 60_000; fixture.nowMs += 500)
        expect(await fixture.outcome()).toBe('operator');
      expect(fixture.hasher.verifications).toBe(1);
    });
  });
});
