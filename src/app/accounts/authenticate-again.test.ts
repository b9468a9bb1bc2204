import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANN, AuthenticatorLab, LIMIT } from '../../../test/harness/authenticator-lab.ts';

describe('authentication of who was here before', () => {
  let lab: AuthenticatorLab;
  beforeEach(async () => {
    lab = await AuthenticatorLab.open();
  });
  afterEach(() => lab.close());

  test('costs nothing for a login that is remembered, from anywhere', async () => {
    await lab.login();
    expect([await lab.outcome(), await lab.outcome('right', '10.0.0.9')]).toEqual(['operator', 'operator']);
    expect(lab.hasher.verifications).toBe(1);
  });

  test('knows a caller again at once, with the same credentials from the same address', async () => {
    expect(lab.recent()).toBeUndefined();
    await lab.login();
    expect([lab.recent(), lab.recent('wrong'), lab.recent('right', '10.0.0.9')]).toEqual([
      'operator',
      undefined,
      undefined,
    ]);
  });

  test('knows a caller again no longer than a second after the account was read', async () => {
    await lab.login();
    lab.nowMs = 600;
    await lab.login();
    lab.nowMs = 999;
    expect(lab.recent()).toBe('operator');
    lab.nowMs = 1000;
    expect(lab.recent()).toBeUndefined();
    await lab.login();
    lab.nowMs = 1999;
    expect(lab.recent()).toBe('operator');
  });

  test('knows nobody again once an account has changed here', async () => {
    await lab.login();
    await lab.put('new', 'viewer');
    expect(lab.recent()).toBeUndefined();
  });

  test('knows nobody again once somebody has guessed too often', async () => {
    await lab.login();
    for (let count = 0; count <= LIMIT; count += 1) await lab.login('wrong');
    expect(lab.recent()).toBeUndefined();
  });

  test('remembers a login for one minute only', async () => {
    await lab.login();
    lab.nowMs = 60_000;
    await lab.login();
    expect(lab.hasher.verifications).toBe(1);
    lab.nowMs = 60_001;
    expect(await lab.outcome()).toBe('operator');
    expect(lab.hasher.verifications).toBe(2);
  });

  test('does not remember what was wrong', async () => {
    await lab.login('wrong');
    await lab.login('wrong');
    expect(lab.hasher.verifications).toBe(2);
  });

  describe('of a login that was remembered', () => {
    beforeEach(() => lab.login());

    test('a change of the account counts at once', async () => {
      await lab.put('new', 'viewer');
      expect([await lab.outcome('right'), await lab.outcome('new')]).toEqual(['unauthorized', 'viewer']);
    });

    test('a change of the role alone counts at once', async () => {
      await lab.put('right', 'viewer');
      expect(await lab.outcome()).toBe('viewer');
    });

    test('the removal of the account counts at once', async () => {
      await lab.removeElsewhere();
      lab.authenticator.accountChanged(ANN);
      expect(await lab.outcome()).toBe('unauthorized');
    });

    test('a change by another server counts within a second', async () => {
      await lab.putElsewhere('new', 'viewer');
      lab.nowMs = 999;
      expect(await lab.outcome('right')).toBe('operator');
      lab.nowMs = 1000;
      expect([await lab.outcome('right'), await lab.outcome('new')]).toEqual(['unauthorized', 'viewer']);
    });

    test('its removal by another server counts within a second', async () => {
      await lab.removeElsewhere();
      lab.nowMs = 1000;
      expect(await lab.outcome()).toBe('unauthorized');
    });

    test('nothing is verified again while the account stays as it is', async () => {
      for (lab.nowMs = 0; lab.nowMs < 60_000; lab.nowMs += 500) expect(await lab.outcome()).toBe('operator');
      expect(lab.hasher.verifications).toBe(1);
    });
  });
});
