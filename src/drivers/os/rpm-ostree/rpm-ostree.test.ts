import { describe, expect, test } from 'vitest';
import { describeInTinyRoot, inTinyRoot } from '../../../../test/harness/shells/tiny-root.ts';
import type { Argv } from '../../../domain/command.ts';
import { osConforms } from '../../../simulator/os/conformance.ts';
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
  ])('stages %s with its finalization locked', (target, commands) => {
    expect(rpmOstree.image?.stage(target)).toEqual(commands);
  });

  test('finalizes what it is told and nothing else, which reboots', () => {
    expect(rpmOstree.image?.finalize({ version: '', checksum: COMMIT, image: '' })).toEqual({
      commands: [['rpm-ostree', 'finalize-deployment', '--allow-unlocked', COMMIT]],
      reboots: true,
    });
  });

  test('stages an upgrade locked, and unlocks it to apply it', () => {
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
    ['by its version', '43.2', tree, true],
    ['not by a longer version', '43.20', tree, false],
    ['by its commit', COMMIT, tree, true],
    ['not by another commit', '6'.repeat(64), tree, false],
    ['not by a branch, which moves', 'fedora:fedora/x86_64/coreos/next', tree, false],
    ['not by a digest that is the commit of a tree', `sha256:${COMMIT}`, tree, false],
    ['by its digest', `sha256:${COMMIT}`, image, true],
    ['not by a commit that is the digest of an image', COMMIT, image, false],
    ['by the digest of its image', `quay.io:5000/a/b@sha256:${COMMIT}`, image, true],
    ['by the digest, with a tag', `docker://quay.io:5000/a/b:7@sha256:${COMMIT}`, image, true],
    ['whoever signs', `ostree-remote-registry:fedora:quay.io:5000/a/b@sha256:${COMMIT}`, image, true],
    ['not by the digest in another image', `quay.io:5000/a/c@sha256:${COMMIT}`, image, false],
    ['not by another digest', `quay.io:5000/a/b@sha256:${'6'.repeat(64)}`, image, false],
    ['not by its tag, which moves', 'ostree-image-signed:docker://quay.io:5000/a/b:stable', image, false],
    ['by nothing where nothing is told', COMMIT, { version: '', checksum: '', image: '' }, false],
  ])('knows a deployment %s', (_what, target, deployment, isTarget) => {
    expect(rpmOstree.image?.matchesTarget(target, deployment)).toBe(isTarget);
  });

  test('layers packages', () => {
    expect(rpmOstree.install(['etcd', 'curl'])).toEqual([['sh', '-c', script, 'sh', 'etcd', 'curl']]);
  });
});

describe('the status of rpm-ostree', () => {
  const read = (value: unknown) =>
    rpmOstree.image?.deployments.parse(simulatedResult(0, JSON.stringify(value)));
  const booted = { booted: true, staged: false, checksum: 'c1', version: '43.1', origin: 'fedora:x' };
  const running = { version: '43.1', checksum: 'c1', image: '' };

  test('tells what runs', () => {
    expect(read({ deployments: [booted, { booted: false, checksum: 'c0', version: '43.0' }] })).toEqual({
      booted: running,
      staged: undefined,
    });
  });

  test('tells what is staged, by the commit below the layered packages', () => {
    const staged = { booted: false, staged: true, checksum: 'c3', 'base-checksum': 'c2', version: '43.2' };
    expect(read({ deployments: [staged, booted] })).toEqual({
      booted: running,
      staged: { version: '43.2', checksum: 'c2', image: '' },
    });
  });

  test('tells an image by its digest', () => {
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

  test.each([[{}], [{ deployments: [] }], [{ deployments: 1 }], [[]], ['text']])(
    'tells nothing in %j',
    value => {
      expect(read(value)).toBeUndefined();
    },
  );

  test('keeps hostile words out', () => {
    const hostile = { booted: true, checksum: 'c\u0007', version: 'v'.repeat(1000), 'base-checksum': 5 };
    expect(read({ deployments: [hostile] })?.booted).toEqual({ version: '', checksum: '', image: '' });
  });
});

describeInTinyRoot('the scripts of rpm-ostree', () => {
  const rebase = (target: string) => rpmOstree.image?.stage(target)?.[0] ?? ['false'];
  const EQUAL = 'case $1 in rebase) echo "error: Old and new refs are equal: x" >&2; exit 1 ;; esac';
  const run = (argv: Argv, tools: Readonly<Record<string, string>>) =>
    inTinyRoot({ of: 'this machine', tools }, root => {
      const { exitCode } = root.run(argv);
      return { exitCode, calls: root.calls() };
    });

  test('rebase to what the host does not follow yet', () => {
    expect(run(rebase('quay.io/a/b:1'), { 'rpm-ostree': '' })).toMatchObject({
      exitCode: 0,
      calls: [`rpm-ostree rebase ${LOCKED.join(' ')} ostree-unverified-registry:quay.io/a/b:1`],
    });
  });

  test('upgrade what the host follows already', () => {
    const { exitCode, calls } = run(rebase('quay.io/a/b:1'), { 'rpm-ostree': EQUAL });
    expect([exitCode, calls[1]]).toEqual([0, `rpm-ostree upgrade ${LOCKED.join(' ')}`]);
  });

  test('have nothing to do for a digest that the host follows already', () => {
    const { exitCode, calls } = run(rebase(`quay.io/a/b@sha256:${COMMIT}`), { 'rpm-ostree': EQUAL });
    expect([exitCode, calls.length]).toEqual([0, 1]);
  });

  test('fail as the tool fails', () => {
    const { exitCode, calls } = run(rebase('quay.io/a/b:1'), { 'rpm-ostree': 'exit 7' });
    expect([exitCode, calls.length]).toEqual([7, 1]);
  });

  test('layer what the base does not have', () => {
    const [install = ['false']] = rpmOstree.install(['etcd', 'curl']) ?? [];
    expect(run(install, { rpm: '', 'rpm-ostree': '' }).calls).toEqual(['rpm -q etcd curl']);
    expect(run(install, { rpm: 'exit 1', 'rpm-ostree': '' }).calls[1]).toBe(
      'rpm-ostree install --assumeyes --idempotent --allow-inactive --apply-live etcd curl',
    );
  });
});
