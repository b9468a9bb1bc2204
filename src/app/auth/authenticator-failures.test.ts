import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AuthenticatorLab, HOME, LIMIT } from '../../../test/harness/authenticator-lab.ts';

describe('authentication after too many failures', () => {
  let fixture: AuthenticatorLab;
  beforeEach(async () => {
    fixture = await AuthenticatorLab.open();
  });
  afterEach(() => fixture.close());

  const OTHERS = ['10.0.1.1', '10.0.1.2', '10.0.1.3'];

  test('computes no hash any more, and says when to come back', async () => {
    await fixture.failFrom(HOME, HOME, HOME);
    expect(await fixture.login('wrong')).toMatchObject({ code: 'too_many_failed_logins', retryAfterS: 20 });
    expect(fixture.hasher.verifications).toBe(LIMIT);
  });

  test('refuses the right password from that address too, until time has passed', async () => {
    await fixture.failFrom(HOME, HOME, HOME);
    expect(await fixture.login('right')).toMatchObject({ code: 'too_many_failed_logins', retryAfterS: 20 });
    fixture.nowMs += 20_000;
    expect(await fixture.outcome('right')).toBe('operator');
    expect(await fixture.outcome('right')).toBe('operator');
  });

  test('gives back one guess at a time', async () => {
    await fixture.failFrom(HOME, HOME, HOME);
    fixture.nowMs += 20_000;
    expect([await fixture.outcome('wrong'), await fixture.outcome('wrong')]).toEqual([
      'unauthorized',
      'too_many_failed_logins',
    ]);
  });

  test('does not lock an account out of other networks, whether it signed in from there before or not', async () => {
    await fixture.login('right', HOME);
    fixture.nowMs += 60_001;
    await fixture.failFrom(...OTHERS, ...OTHERS, ...OTHERS, ...OTHERS);
    expect(await fixture.outcome('right', OTHERS[0])).toBe('too_many_failed_logins');
    for (const address of [HOME, '10.0.9.9'])
      expect(await fixture.outcome('right', address)).toBe('operator');
  });

  test('does not lock out an address whose login was remembered from another', async () => {
    await fixture.login('right', '10.0.0.2');
    await fixture.login('right', HOME);
    fixture.nowMs += 60_001;
    await fixture.failFrom(...OTHERS);
    expect(await fixture.outcome('right', HOME)).toBe('operator');
  });

  test('lets nobody guess at what is remembered', async () => {
    await fixture.login('right', HOME);
    await fixture.failFrom('10.0.0.2', '10.0.0.2', '10.0.0.2');
    expect(await fixture.outcome('right', '10.0.0.2')).toBe('too_many_failed_logins');
    expect(await fixture.outcome('right', HOME)).toBe('operator');
  });

  test('lets nobody guess at what is remembered from the very address that logged in', async () => {
    await fixture.login('right', HOME);
    await fixture.failFrom(HOME, HOME, HOME);
    expect(await fixture.outcome('right', HOME)).toBe('operator');
    expect(await fixture.outcome('wrong', HOME)).toBe('too_many_failed_logins');
    expect(await fixture.outcome('right', HOME)).toBe('too_many_failed_logins');
  });
});
