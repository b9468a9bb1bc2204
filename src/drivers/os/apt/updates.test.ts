import { describe, expect, test } from 'vitest';
import { describeInTinyRoot, inTinyRoot } from '../../../../test/harness/shells/tiny-root.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { apt } from './apt.ts';

const { argv, parse } = apt.upgrade.hasUpdates;
const NOTHING = '0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.';

describe('what is pending for apt', () => {
  test('is found out by the upgrade itself, simulated', () => {
    expect(argv.slice(3)).toEqual([
      ...[
        'sh',
        'env',
        'DEBIAN_FRONTEND=noninteractive',
        'APT_LISTCHANGES_FRONTEND=none',
        'apt-get',
        '-q',
        '-y',
      ],
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
      'a package that is not configured yet',
      0,
      [NOTHING, '1 not fully installed or removed.', 'Conf toyd (2.0 tests [all])'],
      true,
    ],
    ['nothing', 0, ['Reading package lists...', NOTHING], false],
    [
      'nothing but what is held back',
      0,
      ['The following packages have been kept back:', '  toyd', NOTHING.replace('0 not', '1 not')],
      false,
    ],
    ['not known when packages do not fit', 100, [NOTHING, 'Inst toyd [1.0] (2.0 tests [all])'], undefined],
    ['not known when nothing is said', 0, [], undefined],
  ])('is %s', (_what, exitCode, lines, hasUpdates) => {
    expect(parse(simulatedResult(exitCode, `${lines.join('\n')}\n`))).toBe(hasUpdates);
  });
});

describeInTinyRoot('the script for what is pending for apt', () => {
  const run = (files = {}) =>
    inTinyRoot({ of: 'this machine', tools: { 'apt-get': `echo "${NOTHING}"` }, files }, root => ({
      hasUpdates: parse(root.run(argv)),
      calls: root.calls().length,
    }));

  test('asks apt-get', () => {
    expect(run()).toEqual({ hasUpdates: false, calls: 1 });
  });

  test('counts what was broken off', () => {
    expect(run({ '/var/lib/dpkg/updates/0001': '' })).toEqual({ hasUpdates: true, calls: 0 });
  });
});
