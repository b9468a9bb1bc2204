import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createCertificate } from '../../../test/harness/certificates/certificates.ts';
import { clockAt, runDoctorChecks } from '../../../test/harness/doctor-fixtures.ts';
import { DAY_MS } from '../../lib/time/clock.ts';

const base = mkdtempSync(path.join(tmpdir(), 'hostler-doctor-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('certificate check', () => {
  test.each([
    ['that is valid for long', 90, 0, /^ok certificate: valid until .*; the private key matches/],
    ['that expires soon', 9, 0, /^warning certificate: expires on/],
    ['that has expired', 9, 10 * DAY_MS, /^error certificate: expired on/],
    ['that is not valid yet', 9, -2 * DAY_MS, /^error certificate: not valid before/],
  ])('reports a certificate %s', async (name, days, laterMs, expected) => {
    const { cert, key } = createCertificate(path.join(base, name.replaceAll(' ', '-')), { days });
    const settings = { HOSTLER_DATA: path.join(base, 'none'), HOSTLER_TLS_CERT: cert, HOSTLER_TLS_KEY: key };
    expect(await runDoctorChecks(settings, { clock: clockAt(Date.now() + laterMs) })).toContainEqual(
      expect.stringMatching(expected),
    );
  });

  test('rejects the key of another certificate', async () => {
    const [one, two] = ['one', 'two'].map(name => createCertificate(path.join(base, name)));
    const settings = { HOSTLER_TLS_CERT: one?.cert ?? '', HOSTLER_TLS_KEY: two?.key ?? '' };
    expect(await runDoctorChecks({ HOSTLER_DATA: path.join(base, 'none'), ...settings })).toContainEqual(
      expect.stringMatching(/^error certificate: tls_cert, tls_key: not a valid certificate/),
    );
  });
});
