import { expect, test } from 'vitest';
import { enrolmentScript } from './enrolment-script.ts';

const SCRIPT = enrolmentScript('https://hostler.example', 'hst_s3cret', 'ssh-ed25519 AAAA hostler');

test('enrolmentScript puts the secret into a file and not into a command line', () => {
  const secretLines = SCRIPT.split('\n').filter(line => line.includes('hst_s3cret'));
  expect(secretLines).toEqual([`echo 'user = "token:hst_s3cret"' > /run/hostler-token`]);
});

test('enrolmentScript sends the request to the server of the page', () => {
  expect(SCRIPT).toContain("-X PUT 'https://hostler.example/api/v0/host'");
});
