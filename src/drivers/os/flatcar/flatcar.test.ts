import { describe, expect, test } from 'vitest';
import { describeInTinyRoot, inTinyRoot } from '../../../../test/harness/tiny-root.ts';
import { osConforms } from '../conformance.ts';
import { said } from '../fake-answers.ts';
import { flatcarFake } from './fake.ts';
import { flatcar } from './flatcar.ts';

osConforms(flatcar, flatcarFake, {
  targets: ['4230.2.4', '4152.2.0'],
  badTargets: ['', 'stable', '4230', '4230.2.4;reboot', '-A', 'quay.io/a/b:1'],
});

const HOLD = ['systemctl', 'mask', '--runtime', '--now', 'locksmithd.service'];

describe('flatcar', () => {
  test('stages an upgrade after its reboot manager was told to be still', () => {
    expect(flatcar.upgrade).toEqual({
      stage: [HOLD, ['systemctl', 'start', 'update-engine.service'], ['update_engine_client', '-update']],
      apply: [],
    });
  });

  test('stages a version', () => {
    expect(flatcar.image?.stage('4230.2.4')).toEqual([
      HOLD,
      ['sh', '-c', expect.stringContaining('exec flatcar-update --to-version "$1"'), 'sh', '4230.2.4'],
    ]);
  });

  test('has nothing to finalize, and leaves the reboot to us', () => {
    expect(flatcar.image?.finalize({ version: '4230.2.4', checksum: '', image: '' })).toEqual({
      commands: [],
      reboots: false,
    });
  });

  test('installs nothing', () => {
    expect([flatcar.install([]), flatcar.install(['curl'])]).toEqual([[], undefined]);
  });

  test.each<[string, string[], object | undefined]>([
    [
      'idle',
      ['BOOTED_VERSION=4230.2.3', 'CURRENT_OP=UPDATE_STATUS_IDLE', 'NEW_VERSION=0.0.0'],
      { booted: '4230.2.3' },
    ],
    [
      'quoted',
      ['BOOTED_VERSION="4230.2.3"', 'CURRENT_OP=UPDATE_STATUS_IDLE', 'NEW_VERSION='],
      { booted: '4230.2.3' },
    ],
    [
      'downloading',
      [
        'BOOTED_VERSION=4230.2.3',
        'PROGRESS=0.5',
        'CURRENT_OP=UPDATE_STATUS_DOWNLOADING',
        'NEW_VERSION=4230.2.4',
      ],
      { booted: '4230.2.3' },
    ],
    [
      'waiting for a reboot',
      ['BOOTED_VERSION=4230.2.3', 'CURRENT_OP=UPDATE_STATUS_UPDATED_NEED_REBOOT', 'NEW_VERSION=4230.2.4'],
      { booted: '4230.2.3', staged: '4230.2.4' },
    ],
    ['without an engine', ['BOOTED_VERSION=4230.2.3', 'CURRENT_OP=(null)', 'NEW_VERSION=(null)'], undefined],
  ])('reads an update engine that is %s', (_what, lines, expected) => {
    const found = flatcar.image?.deployments.read(said(0, `${lines.join('\n')}\n`));
    const { booted, staged } = found ?? {};
    expect(
      found && { ...(booted && { booted: booted.version }), ...(staged && { staged: staged.version }) },
    ).toEqual(expected);
  });
});

describeInTinyRoot('the scripts of flatcar', () => {
  const stage = flatcar.image?.stage('4230.2.4')?.at(-1) ?? ['false'];
  const status = (operation: string, version: string) =>
    `case $1 in -status) echo CURRENT_OP=UPDATE_STATUS_${operation}; echo NEW_VERSION=${version} ;; esac`;

  test.each([
    [
      'nothing is staged',
      status('IDLE', '0.0.0'),
      ['update_engine_client -status', 'flatcar-update --to-version 4230.2.4'],
    ],
    ['it is staged already', status('UPDATED_NEED_REBOOT', '4230.2.4'), ['update_engine_client -status']],
    [
      'another version is staged',
      status('UPDATED_NEED_REBOOT', '4230.2.40'),
      [
        'update_engine_client -status',
        'update_engine_client -reset_status',
        'flatcar-update --to-version 4230.2.4',
      ],
    ],
  ])('stage a version when %s', (_what, engine, calls) => {
    const tools = { update_engine_client: engine, 'flatcar-update': '' };
    inTinyRoot({ of: 'this machine', tools }, root => {
      expect(root.run(stage).exitCode).toBe(0);
      expect(root.calls()).toEqual(calls);
    });
  });

  test('tell the version that runs, and what the engine says', () => {
    const tools = { update_engine_client: status('UPDATED_NEED_REBOOT', '4230.2.4') };
    const files = { '/etc/os-release': 'ID=flatcar\nVERSION=4230.2.3\nVERSION_ID=4230.2.3\n' };
    const question = flatcar.image?.deployments;
    const ran = inTinyRoot({ of: 'this machine', tools, files }, root =>
      root.run(question?.argv ?? ['false']),
    );
    expect(question?.read(ran)).toMatchObject({
      booted: { version: '4230.2.3' },
      staged: { version: '4230.2.4' },
    });
  });
});
