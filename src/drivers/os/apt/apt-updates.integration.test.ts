import { describe, expect, test } from 'vitest';
import { describeInMinimalRoot, inMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { apt } from './apt.ts';

const { argv, parse } = apt.upgrade.hasUpdates;
const NO_UPDATES = '0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.';

describe('apt updates query', () => {
  test('simulates the upgrade', () => {
    expect(argv.slice(3)).toEqual([
      ...['sh', 'env', 'DEBIAN_FRONTEND=noninteractive', 'APT_LISTCHANGES_FRONTEND=none', 'apt-get', '-q', '-y'],
      ...['-o', 'Dpkg::Options::=--force-confdef', '-o', 'Dpkg::Options::=--force-confold'],
      ...['-o', 'DPkg::Lock::Timeout=600', '--simulate', 'upgrade', '--with-new-pkgs'],
    ]);
  });

  test.each<[string, number, string[], boolean | undefined]>([
    [
      'an upgrade',
      0,
      [
        'The following packages will be upgraded:',
        '  toyd',
        '1 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.',
        'Inst toyd [1.0] (2.0 tests [all])',
        'Conf toyd (2.0 tests [all])',
      ],
      true,
    ],
    [
      'an unconfigured package',
      0,
      [NO_UPDATES, '1 not fully installed or removed.', 'Conf toyd (2.0 tests [all])'],
      true,
    ],
    ['no updates', 0, ['Reading package lists...', NO_UPDATES], false],
    [
      'only packages that are kept back',
      0,
      ['The following packages have been kept back:', '  toyd', NO_UPDATES.replace('0 not', '1 not')],
      false,
    ],
    ['a dependency error', 100, [NO_UPDATES, 'Inst toyd [1.0] (2.0 tests [all])'], undefined],
    ['no output', 0, [], undefined],
  ])('returns $3 for %s', (_label, exitCode, lines, hasUpdates) => {
    expect(parse(simulatedResult(exitCode, `${lines.join('\n')}\n`))).toBe(hasUpdates);
  });
});

describeInMinimalRoot('apt updates script', () => {
  const run = (files = {}) =>
    inMinimalRoot({ programsFrom: 'this machine', tools: { 'apt-get': `echo "${NO_UPDATES}"` }, files }, root => ({
      hasUpdates: parse(root.run(argv)),
      calls: root.calls().length,
    }));

  test('runs apt-get', () => {
    expect(run()).toEqual({ hasUpdates: false, calls: 1 });
  });

  test('reports an update after an interrupted dpkg run', () => {
    expect(run({ '/var/lib/dpkg/updates/0001': '' })).toEqual({ hasUpdates: true, calls: 0 });
  });
});
