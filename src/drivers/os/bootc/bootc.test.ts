import { describe, expect, test } from 'vitest';
import { osConforms } from '../../../../test/conformance/os.ts';
import { simulatedBootc } from '../../../simulator/os/bootc.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { LOCK_STAGED, UNLOCK_STAGED } from '../shared-commands.ts';
import { bootc } from './bootc.ts';

const DIGEST = `sha256:${'5'.repeat(64)}`;

osConforms(bootc, simulatedBootc, {
  targets: [
    'quay.io/example/os:42.20260119.0',
    `quay.io/example/os@${DIGEST}`,
    'localhost:5000/os',
    'quay.io/example/os:stable',
  ],
  badTargets: [
    '',
    'os',
    '42.20260119.0',
    '--apply',
    'quay.io/a b',
    'quay.io/a;reboot',
    'docker://quay.io/a',
    `quay.io/a@${DIGEST}0`,
  ],
});

describe('bootc', () => {
  test('switches to the image, upgrades and locks the staged deployment', () => {
    expect(bootc.image?.stage('quay.io/example/os:2')).toEqual([
      ['bootc', 'switch', '--', 'quay.io/example/os:2'],
      ['bootc', 'upgrade'],
      LOCK_STAGED,
    ]);
  });

  test('does not reboot in finalize', () => {
    expect(bootc.image?.finalize({ version: '', checksum: DIGEST, image: '' })).toEqual({
      commands: [UNLOCK_STAGED],
      reboots: false,
    });
  });

  test('stages an upgrade locked and unlocks it in apply', () => {
    expect(bootc.upgrade).toMatchObject({
      stage: [['bootc', 'upgrade'], LOCK_STAGED],
      apply: [UNLOCK_STAGED],
    });
  });

  test.each([
    ['its digest', `quay.io/example/os@${DIGEST}`, true],
    ['its digest and a tag', `quay.io/example/os:2@${DIGEST}`, true],
    ['another digest', `quay.io/example/os@sha256:${'6'.repeat(64)}`, false],
    ['its digest in another image', `quay.io/example/other@${DIGEST}`, false],
    ['its tag', 'quay.io/example/os:stable', false],
    ['its version', '42.1', false],
  ])('compares a deployment with %s', (_label, target, isTarget) => {
    const deployment = { version: '42.1', checksum: DIGEST, image: 'quay.io/example/os:stable' };
    expect(bootc.image?.matchesTarget(target, deployment)).toBe(isTarget);
  });

  test('rejects package installation', () => {
    expect([bootc.install([]), bootc.install(['curl'])]).toEqual([[], undefined]);
  });
});

describe('bootc status', () => {
  const read = (status: unknown) =>
    bootc.image?.deployments.parse(simulatedResult(0, JSON.stringify({ kind: 'BootcHost', status })));
  const entry = {
    image: { image: { image: 'quay.io/a/b:1', transport: 'registry' }, version: '42.1', imageDigest: DIGEST },
    ostree: { checksum: 'c1' },
  };

  test('returns the booted and the staged deployment', () => {
    const deployment = { version: '42.1', checksum: DIGEST, image: 'quay.io/a/b:1' };
    expect(read({ booted: entry, staged: null })).toEqual({ booted: deployment, staged: undefined });
    expect(read({ booted: entry, staged: { ...entry, image: { ...entry.image, version: null } } })?.staged).toEqual({
      ...deployment,
      version: '',
    });
  });

  test('returns the commit of a deployment without an image', () => {
    expect(read({ booted: { image: null, ostree: { checksum: 'c1' } } })?.booted).toEqual({
      version: '',
      checksum: 'c1',
      image: '',
    });
  });

  test('returns undefined deployments for a system not booted with bootc', () => {
    expect(read({ booted: null, staged: null })).toEqual({ booted: undefined, staged: undefined });
  });

  test.each([[undefined], [{}], ['text'], [[]]])('is rejected for %j', status => {
    expect(read(status)).toBeUndefined();
  });
});
