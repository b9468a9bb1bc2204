import { describe, expect, test } from 'vitest';
import { osConforms } from '../../../../test/conformance/os.ts';
import { describeInMinimalRoot, inMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import type { Argv } from '../../../domain/command.ts';
import { simulatedApt } from '../../../simulator/os/apt.ts';
import { decodeText } from '../command-output.ts';
import { apt } from './apt.ts';

osConforms(apt, simulatedApt);

const QUIET = ['env', 'DEBIAN_FRONTEND=noninteractive', 'APT_LISTCHANGES_FRONTEND=none'];
const APT_GET = [
  ...[...QUIET, 'apt-get', '-q', '-y', '-o', 'Dpkg::Options::=--force-confdef'],
  ...['-o', 'Dpkg::Options::=--force-confold', '-o', 'DPkg::Lock::Timeout=600'],
];
const script = expect.stringMatching(/\n/);
const REPAIR = ['sh', '-c', script, 'sh', ...QUIET, 'dpkg', '--force-confdef', '--force-confold', '--configure', '-a'];

describe('apt', () => {
  test('installs packages without recommended ones', () => {
    expect(apt.install(['curl', 'etcd-server'])).toEqual([
      REPAIR,
      ['sh', '-c', script, 'sh', ...APT_GET, 'update'],
      [...APT_GET, 'install', '--no-install-recommends', '--', 'curl', 'etcd-server'],
    ]);
  });

  test('downloads an upgrade and fails if a repository does not respond', () => {
    expect(apt.upgrade.stage).toEqual([
      ['sh', '-c', script, 'sh', ...APT_GET, '-o', 'APT::Update::Error-Mode=any', 'update'],
      ['sh', '-c', script, 'sh', ...APT_GET, '--download-only', 'upgrade', '--with-new-pkgs'],
    ]);
  });

  test('repairs an interrupted dpkg run and upgrades without removing packages', () => {
    expect(apt.upgrade.apply).toEqual([REPAIR, [...APT_GET, 'upgrade', '--with-new-pkgs']]);
  });
});

describeInMinimalRoot('apt scripts', () => {
  const [repair = ['false']] = apt.upgrade.apply;
  const [update = ['false'], download = ['false']] = apt.upgrade.stage;
  const JOURNAL = { '/var/lib/dpkg/updates/0001': '' };
  const run = (argv: Argv, tools: Readonly<Record<string, string>>, files = {}) =>
    inMinimalRoot(
      { programsFrom: 'this machine', tools: { sleep: '', ...tools }, files: { '/n': '0\n', ...files } },
      root => {
        const { exitCode, stdout, stderr } = root.run(argv);
        const calls = root.calls().map(call => call.split(' ').slice(0, 2).join(' '));
        return { exitCode, calls, output: decodeText(stdout), errorOutput: decodeText(stderr) };
      },
    );
  const failTwice = (locked: string) => `read -r n </n; echo "$((n + 1))" >/n; [ "$n" -ge 2 ] || { ${locked}; }`;

  const DPKG_LOCKED = 'echo "dpkg: error: dpkg frontend lock was locked by another process with pid 7" >&2; exit 2';
  const aptLocked = (file: string) =>
    `echo "E: Could not get lock ${file}. It is held by process 7 (apt-get)" >&2; exit 100`;

  test('repair dpkg only after an interrupted run', () => {
    expect(run(repair, { dpkg: '' })).toMatchObject({ exitCode: 0, calls: [] });
    expect(run(repair, { dpkg: 'echo broken >&2; exit 2' }, JOURNAL)).toMatchObject({
      exitCode: 2,
      calls: ['dpkg --force-confdef'],
      errorOutput: 'broken\n',
    });
  });

  test('wait while another process repairs dpkg', () => {
    expect(run(repair, { dpkg: `${failTwice(DPKG_LOCKED)}; echo done` }, JOURNAL)).toMatchObject({
      exitCode: 0,
      calls: ['dpkg --force-confdef', 'sleep 5', 'dpkg --force-confdef', 'sleep 5', 'dpkg --force-confdef'],
      output: 'done\n',
    });
    const repaired = run(repair, { dpkg: DPKG_LOCKED, sleep: 'rm /var/lib/dpkg/updates/0001' }, JOURNAL);
    expect(repaired).toMatchObject({ exitCode: 0, calls: ['dpkg --force-confdef', 'sleep 5'] });
  });

  test('stop waiting after ten minutes', () => {
    const { exitCode, calls, errorOutput } = run(repair, { dpkg: DPKG_LOCKED }, JOURNAL);
    expect([exitCode, calls.filter(call => call === 'sleep 5').length]).toEqual([2, 120]);
    expect(errorOutput).toContain('locked by another process');
  });

  test.each([
    ['the lists', update, '/var/lib/apt/lists/lock'],
    ['the archive', download, '/var/cache/apt/archives/lock'],
  ])('wait for the lock of %s', (_label, argv, file) => {
    expect(run(argv, { 'apt-get': failTwice(aptLocked(file)) })).toMatchObject({
      exitCode: 0,
      calls: ['apt-get -q', 'sleep 5', 'apt-get -q', 'sleep 5', 'apt-get -q'],
    });
  });

  test.each([
    ['a repository that does not respond', 'echo "E: Failed to fetch http://x" >&2; exit 100'],
    ['the dpkg lock, which apt-get waits for', aptLocked('/var/lib/dpkg/lock-frontend')],
  ])('do not retry for %s', (_label, tool) => {
    for (const argv of [update, download])
      expect(run(argv, { 'apt-get': tool })).toMatchObject({ exitCode: 100, calls: ['apt-get -q'] });
  });

  test('update the lists but download nothing after an interrupted dpkg run', () => {
    expect(run(update, { 'apt-get': '' }, JOURNAL).calls).toEqual(['apt-get -q']);
    expect(run(download, { 'apt-get': '' }, JOURNAL)).toMatchObject({ exitCode: 0, calls: [] });
  });
});
