import { describe, expect, test } from 'vitest';
import { osConforms } from '../../../../test/conformance/os.ts';
import { describeInMinimalRoot, inMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import type { Argv } from '../../../domain/command.ts';
import { simulatedRpmOstree } from '../../../simulator/os/rpm-ostree.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { UNLOCK_STAGED } from '../shared-commands.ts';
import { rpmOstree } from './rpm-ostree.ts';

const COMMIT = '5'.repeat(64);
const LOCKED = ['--lock-finalization', '--bypass-driver'];

osConforms(rpmOstree, simulatedRpmOstree, {
  targets: [
    '43.20260119.3.0',
    COMMIT,
    'fedora:fedora/x86_64/coreos/next',
    'quay.io/fedora/fedora-coreos:43.20260119.3.0',
    'ostree-image-signed:docker://quay.io/example/os:stable',
    `quay.io/fedora/fedora-coreos@sha256:${COMMIT}`,
  ],
  badTargets: ['', '-r', '--reboot', 'a b', 'a\nb', '$(reboot)', 'os:stable', `${'a'.repeat(600)}`],
});

const script = expect.stringMatching(/rpm-ostree/);

describe('rpm-ostree', () => {
  test.each<[string, Argv[]]>([
    ['43.20260119.3.0', [['rpm-ostree', 'deploy', ...LOCKED, 'version=43.20260119.3.0']]],
    [COMMIT, [['rpm-ostree', 'deploy', ...LOCKED, `revision=${COMMIT}`]]],
    [`sha256:${COMMIT}`, [['rpm-ostree', 'deploy', ...LOCKED, `sha256:${COMMIT}`]]],
    ['fedora:fedora/x86_64/iot', [['sh', '-c', script, 'sh', 'fedora:fedora/x86_64/iot']]],
    ['quay.io/a/b:1', [['sh', '-c', script, 'sh', 'ostree-unverified-registry:quay.io/a/b:1']]],
    ['localhost:5000/b', [['sh', '-c', script, 'sh', 'ostree-unverified-registry:localhost:5000/b']]],
    ['docker://quay.io/a/b', [['sh', '-c', script, 'sh', 'ostree-unverified-image:docker://quay.io/a/b']]],
    [
      `quay.io/a/b@sha256:${COMMIT}`,
      [['sh', '-c', script, 'sh', `ostree-unverified-registry:quay.io/a/b@sha256:${COMMIT}`]],
    ],
    [
      'ostree-image-signed:registry:quay.io/a/b',
      [['sh', '-c', script, 'sh', 'ostree-image-signed:registry:quay.io/a/b']],
    ],
  ])('stages %s with locked finalization', (target, commands) => {
    expect(rpmOstree.image?.stage(target)).toEqual(commands);
  });

  test('finalizes only the given deployment and reboots', () => {
    expect(rpmOstree.image?.finalize({ version: '', checksum: COMMIT, image: '' })).toEqual({
      commands: [['rpm-ostree', 'finalize-deployment', '--allow-unlocked', COMMIT]],
      reboots: true,
    });
  });

  test('stages an upgrade locked and unlocks it in apply', () => {
    expect(rpmOstree.upgrade).toMatchObject({
      stage: [['rpm-ostree', 'upgrade', ...LOCKED]],
      apply: [UNLOCK_STAGED],
    });
  });

  const tree = { version: '43.2', checksum: COMMIT, image: '' };
  const image = {
    version: '43.2',
    checksum: `sha256:${COMMIT}`,
    image: 'ostree-image-signed:docker://quay.io:5000/a/b:stable',
  };

  test.each([
    ['its version', '43.2', tree, true],
    ['a longer version', '43.20', tree, false],
    ['its commit', COMMIT, tree, true],
    ['another commit', '6'.repeat(64), tree, false],
    ['a branch', 'fedora:fedora/x86_64/coreos/next', tree, false],
    ['a digest equal to the commit of a tree', `sha256:${COMMIT}`, tree, false],
    ['its digest', `sha256:${COMMIT}`, image, true],
    ['a commit equal to the digest of an image', COMMIT, image, false],
    ['its image and digest', `quay.io:5000/a/b@sha256:${COMMIT}`, image, true],
    ['its image, digest and a tag', `docker://quay.io:5000/a/b:7@sha256:${COMMIT}`, image, true],
    [
      'its digest and another signature scheme',
      `ostree-remote-registry:fedora:quay.io:5000/a/b@sha256:${COMMIT}`,
      image,
      true,
    ],
    ['its digest in another image', `quay.io:5000/a/c@sha256:${COMMIT}`, image, false],
    ['another digest', `quay.io:5000/a/b@sha256:${'6'.repeat(64)}`, image, false],
    ['its tag', 'ostree-image-signed:docker://quay.io:5000/a/b:stable', image, false],
    ['a target, without version and checksum', COMMIT, { version: '', checksum: '', image: '' }, false],
  ])('compares a deployment with %s', (_label, target, deployment, isTarget) => {
    expect(rpmOstree.image?.matchesTarget(target, deployment)).toBe(isTarget);
  });

  test('layers packages', () => {
    expect(rpmOstree.install(['etcd', 'curl'])).toEqual([['sh', '-c', script, 'sh', 'etcd', 'curl']]);
  });
});

describe('rpm-ostree status', () => {
  const read = (value: unknown) => rpmOstree.image?.deployments.parse(simulatedResult(0, JSON.stringify(value)));
  const booted = { booted: true, staged: false, checksum: 'c1', version: '43.1', origin: 'fedora:x' };
  const running = { version: '43.1', checksum: 'c1', image: '' };

  test('returns the booted deployment', () => {
    expect(read({ deployments: [booted, { booted: false, checksum: 'c0', version: '43.0' }] })).toEqual({
      booted: running,
      staged: undefined,
    });
  });

  test('returns the staged deployment with its base commit', () => {
    const staged = { booted: false, staged: true, checksum: 'c3', 'base-checksum': 'c2', version: '43.2' };
    expect(read({ deployments: [staged, booted] })).toEqual({
      booted: running,
      staged: { version: '43.2', checksum: 'c2', image: '' },
    });
  });

  test('returns the digest of an image', () => {
    const image = 'ostree-unverified-registry:quay.io/a/b:1';
    const staged = {
      ...{ booted: false, staged: true, checksum: 'c3', 'base-checksum': 'c2', version: '43.2' },
      ...{ 'container-image-reference': image, 'container-image-reference-digest': 'sha256:d' },
    };
    expect(read({ deployments: [staged, booted] })?.staged).toEqual({
      version: '43.2',
      checksum: 'sha256:d',
      image,
    });
  });

  test.each([[{}], [{ deployments: [] }], [{ deployments: 1 }], [[]], ['text']])('is rejected for %j', value => {
    expect(read(value)).toBeUndefined();
  });

  test('removes invalid versions and checksums', () => {
    const hostile = { booted: true, checksum: 'c\u0007', version: 'v'.repeat(1000), 'base-checksum': 5 };
    expect(read({ deployments: [hostile] })?.booted).toEqual({ version: '', checksum: '', image: '' });
  });
});

describeInMinimalRoot('rpm-ostree scripts', () => {
  const rebase = (target: string) => rpmOstree.image?.stage(target)?.[0] ?? ['false'];
  const EQUAL = 'case $1 in rebase) echo "error: Old and new refs are equal: x" >&2; exit 1 ;; esac';
  const run = (argv: Argv, tools: Readonly<Record<string, string>>) =>
    inMinimalRoot({ programsFrom: 'this machine', tools }, root => {
      const { exitCode } = root.run(argv);
      return { exitCode, calls: root.calls() };
    });

  test('rebase to a new reference', () => {
    expect(run(rebase('quay.io/a/b:1'), { 'rpm-ostree': '' })).toMatchObject({
      exitCode: 0,
      calls: [`rpm-ostree rebase ${LOCKED.join(' ')} ostree-unverified-registry:quay.io/a/b:1`],
    });
  });

  test('upgrade if the host already uses the reference', () => {
    const { exitCode, calls } = run(rebase('quay.io/a/b:1'), { 'rpm-ostree': EQUAL });
    expect([exitCode, calls[1]]).toEqual([0, `rpm-ostree upgrade ${LOCKED.join(' ')}`]);
  });

  test('do nothing if the host already uses the digest', () => {
    const { exitCode, calls } = run(rebase(`quay.io/a/b@sha256:${COMMIT}`), { 'rpm-ostree': EQUAL });
    expect([exitCode, calls.length]).toEqual([0, 1]);
  });

  test('fail with the exit code of rpm-ostree', () => {
    const { exitCode, calls } = run(rebase('quay.io/a/b:1'), { 'rpm-ostree': 'exit 7' });
    expect([exitCode, calls.length]).toEqual([7, 1]);
  });

  test('layer only packages that are missing in the base', () => {
    const [install = ['false']] = rpmOstree.install(['etcd', 'curl']) ?? [];
    expect(run(install, { rpm: '', 'rpm-ostree': '' }).calls).toEqual(['rpm -q etcd curl']);
    expect(run(install, { rpm: 'exit 1', 'rpm-ostree': '' }).calls[1]).toBe(
      'rpm-ostree install --assumeyes --idempotent --allow-inactive --apply-live etcd curl',
    );
  });
});
