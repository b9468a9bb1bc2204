import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeCertificate } from '../../../test/harness/certificates/certificates.ts';
import { DAY_MS } from '../../lib/time/clock.ts';
import { clockAt, runDoctorChecks } from './doctor-fixtures.ts';

const base = mkdtempSync(path.join(tmpdir(), 'hostler-doctor-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('a certificate', () => {
  test.each([
    ['for long', 90, 0, /^ok certificate: valid until .*; the private key matches/],
    ['for a few days', 9, 0, /^warning certificate: expires on/],
    ['that has expired', 9, 10 * DAY_MS, /^error certificate: expired on/],
    ['of later', 9, -2 * DAY_MS, /^error certificate: not valid before/],
  ])('%s', async (what, days, laterMs, expected) => {
    const { cert, key } = makeCertificate(path.join(base, what.replaceAll(' ', '-')), { days });
    const settings = { HOSTLER_DATA: path.join(base, 'none'), HOSTLER_TLS_CERT: cert, HOSTLER_TLS_KEY: key };
    expect(await runDoctorChecks(settings, { clock: clockAt(Date.now() + laterMs) })).toContainEqual(
      expect.stringMatching(expected),
    );
  });

  test('with the key of another', async () => {
    const [one, two] = ['one', 'two'].map(name => makeCertificate(path.join(base, name)));
    const settings = { HOSTLER_TLS_CERT: one?.cert ?? '', HOSTLER_TLS_KEY: two?.key ?? '' };
    expect(await runDoctorChecks({ HOSTLER_DATA: path.join(base, 'none'), ...settings })).toContainEqual(
      expect.stringMatching(/^error certificate: tls_cert, tls_key: not a valid certificate/),
    );
  });
});
