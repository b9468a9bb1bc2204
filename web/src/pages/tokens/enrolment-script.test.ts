import { expect, it } from 'vitest';
import { enrolmentScript } from './enrolment-script.ts';

const SCRIPT = enrolmentScript('https://hostler.example', 'hst_s3cret', 'ssh-ed25519 AAAA hostler');

it('has the secret in a file, and not in the words of a command that others see', () => {
  const secretLines = SCRIPT.split('\n').filter(line => line.includes('hst_s3cret'));
  expect(secretLines).toEqual([`echo 'user = "token:hst_s3cret"' > /run/hostler-token`]);
});

it('asks the service that the page is of', () => {
  expect(SCRIPT).toContain("-X PUT 'https://hostler.example/api/v0/host'");
});
