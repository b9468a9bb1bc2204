import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AuthenticatorFixture, HOME_ADDRESS, MAX_FAILED_LOGINS } from '../../../test/harness/authenticator-fixtures.ts';

describe('Authenticator after too many failed logins', () => {
  let fixture: AuthenticatorFixture;
  beforeEach(async () => {
    fixture = await AuthenticatorFixture.open();
  });
  afterEach(() => fixture.close());

  const OTHERS = ['10.0.1.1', '10.0.1.2', '10.0.1.3'];

  test('computes no hash and returns the retry time', async () => {
    await fixture.failLoginsFrom(HOME_ADDRESS, HOME_ADDRESS, HOME_ADDRESS);
    expect(await fixture.login('wrong')).toMatchObject({ code: 'too_many_failed_logins', retryAfterS: 20 });
    expect(fixture.hasher.verifications).toBe(MAX_FAILED_LOGINS);
  });

  test('rejects the right password from that address until the retry time', async () => {
    await fixture.failLoginsFrom(HOME_ADDRESS, HOME_ADDRESS, HOME_ADDRESS);
    expect(await fixture.login('right')).toMatchObject({ code: 'too_many_failed_logins', retryAfterS: 20 });
    fixture.nowMs += 20_000;
    expect(await fixture.outcome('right')).toBe('operator');
    expect(await fixture.outcome('right')).toBe('operator');
  });

  test('allows one attempt per refill interval', async () => {
    await fixture.failLoginsFrom(HOME_ADDRESS, HOME_ADDRESS, HOME_ADDRESS);
    fixture.nowMs += 20_000;
    expect([await fixture.outcome('wrong'), await fixture.outcome('wrong')]).toEqual([
      'unauthorized',
      'too_many_failed_logins',
    ]);
  });

  test('accepts the account from other networks, with or without an earlier sign-in', async () => {
    await fixture.login('right', HOME_ADDRESS);
    fixture.nowMs += 60_001;
    await fixture.failLoginsFrom(...OTHERS, ...OTHERS, ...OTHERS, ...OTHERS);
    expect(await fixture.outcome('right', OTHERS[0])).toBe('too_many_failed_logins');
    for (const address of [HOME_ADDRESS, '10.0.9.9']) expect(await fixture.outcome('right', address)).toBe('operator');
  });

  test('accepts an address whose password was cached from another address', async () => {
    await fixture.login('right', '10.0.0.2');
    await fixture.login('right', HOME_ADDRESS);
    fixture.nowMs += 60_001;
    await fixture.failLoginsFrom(...OTHERS);
    expect(await fixture.outcome('right', HOME_ADDRESS)).toBe('operator');
  });

  test('prevents guesses of cached passwords from another address', async () => {
    await fixture.login('right', HOME_ADDRESS);
    await fixture.failLoginsFrom('10.0.0.2', '10.0.0.2', '10.0.0.2');
    expect(await fixture.outcome('right', '10.0.0.2')).toBe('too_many_failed_logins');
    expect(await fixture.outcome('right', HOME_ADDRESS)).toBe('operator');
  });

  test('prevents guesses of cached passwords from the address that signed in', async () => {
    await fixture.login('right', HOME_ADDRESS);
    await fixture.failLoginsFrom(HOME_ADDRESS, HOME_ADDRESS, HOME_ADDRESS);
    expect(await fixture.outcome('right', HOME_ADDRESS)).toBe('operator');
    expect(await fixture.outcome('wrong', HOME_ADDRESS)).toBe('too_many_failed_logins');
    expect(await fixture.outcome('right', HOME_ADDRESS)).toBe('too_many_failed_logins');
  });
});
