import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AuthenticatorLab, HOME, LIMIT } from '../../../test/harness/authenticator-lab.ts';

describe('authentication after too many failures', () => {
  let lab: AuthenticatorLab;
  beforeEach(async () => {
    lab = await AuthenticatorLab.open();
  });
  afterEach(() => lab.close());

  const OTHERS = ['10.0.1.1', '10.0.1.2', '10.0.1.3'];

  test('computes no hash any more, and says when to come back', async () => {
    await lab.failFrom(HOME, HOME, HOME);
    expect(await lab.login('wrong')).toMatchObject({ code: 'too_many_failed_logins', retryAfterS: 20 });
    expect(lab.hasher.verifications).toBe(LIMIT);
  });

  test('refuses the right password from that address too, until time has passed', async () => {
    await lab.failFrom(HOME, HOME, HOME);
    expect(await lab.login('right')).toMatchObject({ code: 'too_many_failed_logins', retryAfterS: 20 });
    lab.nowMs += 20_000;
    expect(await lab.outcome('right')).toBe('operator');
    expect(await lab.outcome('right')).toBe('operator');
  });

  test('gives back one guess at a time', async () => {
    await lab.failFrom(HOME, HOME, HOME);
    lab.nowMs += 20_000;
    expect([await lab.outcome('wrong'), await lab.outcome('wrong')]).toEqual([
      'unauthorized',
      'too_many_failed_logins',
    ]);
  });

  test('does not lock an account out of other networks, whether it signed in from there before or not', async () => {
    await lab.login('right', HOME);
    lab.nowMs += 60_001;
    await lab.failFrom(...OTHERS, ...OTHERS, ...OTHERS, ...OTHERS);
    expect(await lab.outcome('right', OTHERS[0])).toBe('too_many_failed_logins');
    for (const address of [HOME, '10.0.9.9']) expect(await lab.outcome('right', address)).toBe('operator');
  });

  test('does not lock out an address whose login was remembered from another', async () => {
    await lab.login('right', '10.0.0.2');
    await lab.login('right', HOME);
    lab.nowMs += 60_001;
    await lab.failFrom(...OTHERS);
    expect(await lab.outcome('right', HOME)).toBe('operator');
  });

  test('lets nobody guess at what is remembered', async () => {
    await lab.login('right', HOME);
    await lab.failFrom('10.0.0.2', '10.0.0.2', '10.0.0.2');
    expect(await lab.outcome('right', '10.0.0.2')).toBe('too_many_failed_logins');
    expect(await lab.outcome('right', HOME)).toBe('operator');
  });

  test('lets nobody guess at what is remembered from the very address that logged in', async () => {
    await lab.login('right', HOME);
    await lab.failFrom(HOME, HOME, HOME);
    expect(await lab.outcome('right', HOME)).toBe('operator');
    expect(await lab.outcome('wrong', HOME)).toBe('too_many_failed_logins');
    expect(await lab.outcome('right', HOME)).toBe('too_many_failed_logins');
  });
});
