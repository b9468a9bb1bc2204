import { describe, expect, test } from 'vitest';
import { osConforms } from '../../../../test/conformance/os.ts';
import { describeInMinimalRoot, inMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import { simulatedFlatcar } from '../../../simulator/os/flatcar.ts';
import { simulatedResult } from '../../../simulator/simulated-machine.ts';
import { decodeText } from '../command-output.ts';
import { flatcar } from './flatcar.ts';

osConforms(flatcar, simulatedFlatcar, {
  targets: ['4230.2.4', '4152.2.0'],
  badTargets: ['', 'stable', '4230', '4230.2.4;reboot', '-A', 'quay.io/a/b:1'],
});

const DISABLE_AUTO_REBOOT = ['systemctl', 'mask', '--runtime', '--now', 'locksmithd.service'];

describe('flatcar', () => {
  test('disables automatic reboots before it stages an upgrade', () => {
    expect(flatcar.upgrade).toMatchObject({
      stage: [
        DISABLE_AUTO_REBOOT,
        ['systemctl', 'start', 'update-engine.service'],
        ['sh', '-c', expect.stringContaining('update_engine_client -check_for_update')],
      ],
      apply: [],
    });
  });

  test('stages a version', () => {
    expect(flatcar.image?.stage('4230.2.4')).toEqual([
      DISABLE_AUTO_REBOOT,
      ['sh', '-c', expect.stringContaining('exec flatcar-update --to-version "$1"'), 'sh', '4230.2.4'],
    ]);
  });

  test('has no finalize commands and does not reboot', () => {
    expect(flatcar.image?.finalize({ version: '4230.2.4', checksum: '', image: '' })).toEqual({
      commands: [],
      reboots: false,
    });
  });

  test('compares deployments by version', () => {
    const isTarget = (target: string) =>
      flatcar.image?.matchesTarget(target, { version: '4230.2.4', checksum: '', image: '' });
    expect([isTarget('4230.2.4'), isTarget('4230.2.40'), isTarget('4230.2')]).toEqual([true, false, false]);
  });

  test('rejects package installation', () => {
    expect([flatcar.install([]), flatcar.install(['curl'])]).toEqual([[], undefined]);
  });

  test.each<[string, string[], object | undefined]>([
    ['idle', ['BOOTED_VERSION=4230.2.3', 'CURRENT_OP=UPDATE_STATUS_IDLE', 'NEW_VERSION=0.0.0'], { booted: '4230.2.3' }],
    ['quoted', ['BOOTED_VERSION="4230.2.3"', 'CURRENT_OP=UPDATE_STATUS_IDLE', 'NEW_VERSION='], { booted: '4230.2.3' }],
    [
      'downloading',
      ['BOOTED_VERSION=4230.2.3', 'PROGRESS=0.5', 'CURRENT_OP=UPDATE_STATUS_DOWNLOADING', 'NEW_VERSION=4230.2.4'],
      { booted: '4230.2.3' },
    ],
    [
      'waiting for a reboot',
      ['BOOTED_VERSION=4230.2.3', 'CURRENT_OP=UPDATE_STATUS_UPDATED_NEED_REBOOT', 'NEW_VERSION=4230.2.4'],
      { booted: '4230.2.3', staged: '4230.2.4' },
    ],
    ['not running', ['BOOTED_VERSION=4230.2.3', 'CURRENT_OP=(null)', 'NEW_VERSION=(null)'], undefined],
  ])('parses the status of an update engine that is %s', (_label, lines, expected) => {
    const found = flatcar.image?.deployments.parse(simulatedResult(0, `${lines.join('\n')}\n`));
    const { booted, staged } = found ?? {};
    expect(found && { ...(booted && { booted: booted.version }), ...(staged && { staged: staged.version }) }).toEqual(
      expected,
    );
  });
});

describeInMinimalRoot('flatcar scripts', () => {
  const stage = flatcar.image?.stage('4230.2.4')?.at(-1) ?? ['false'];
  const status = (operation: string, version: string) =>
    `case $1 in -status) echo CURRENT_OP=UPDATE_STATUS_${operation}; echo NEW_VERSION=${version} ;; esac`;

  test.each([
    [
      'no version is staged',
      status('IDLE', '0.0.0'),
      ['update_engine_client -status', 'flatcar-update --to-version 4230.2.4'],
    ],
    ['it is already staged', status('UPDATED_NEED_REBOOT', '4230.2.4'), ['update_engine_client -status']],
  ])('stage a version only once: %s', (_label, engine, calls) => {
    const tools = { update_engine_client: engine, 'flatcar-update': '' };
    inMinimalRoot({ programsFrom: 'this machine', tools }, root => {
      expect(root.run(stage).exitCode).toBe(0);
      expect(root.calls()).toEqual(calls);
    });
  });

  test('do not stage a version while another one is staged', () => {
    const tools = { update_engine_client: status('UPDATED_NEED_REBOOT', '4230.2.40'), 'flatcar-update': '' };
    inMinimalRoot({ programsFrom: 'this machine', tools }, root => {
      const { exitCode, stderr } = root.run(stage);
      expect([exitCode, decodeText(stderr)]).toEqual([1, expect.stringContaining('reboot into it first')]);
      expect(root.calls()).toEqual(['update_engine_client -status']);
    });
  });

  /** Each line is one status of the engine: operation and time of the last successful check. */
  function stageUpgrade(states: readonly string[]) {
    const engine = `[ "$1" = -status ] || exit 0
read -r n </n; echo "$((n + 1))" >/n
while read -r op time; do
  [ "$n" = 0 ] && echo "LAST_CHECKED_TIME=$time" && echo "CURRENT_OP=$op" && exit
  n=$((n - 1))
done </states
exit 7`;
    const files = {
      '/n': '0\n',
      '/states': `${states.map(state => state.replace(/^[A-Z]/, 'UPDATE_STATUS_$&')).join('\n')}\n`,
    };
    const tools = { update_engine_client: engine, sleep: '' };
    return inMinimalRoot({ programsFrom: 'this machine', tools, files }, root =>
      root.run(flatcar.upgrade.stage.at(-1) ?? ['false']),
    );
  }

  test.each([
    ['stages an update', ['IDLE 5', 'CHECKING_FOR_UPDATE 5', 'DOWNLOADING 9', 'UPDATED_NEED_REBOOT 9']],
    ['has already staged an update', ['UPDATED_NEED_REBOOT 0', 'UPDATED_NEED_REBOOT 0']],
    ['finds no update', ['IDLE 5', 'CHECKING_FOR_UPDATE 5', 'IDLE 9']],
    ['finds no update in its first check', ['IDLE 0', 'IDLE 9']],
  ])('complete the stage step if the engine %s', (_case, states) => {
    expect(stageUpgrade(states).exitCode).toBe(0);
  });

  test.each<[string, string[], number, string]>([
    ['gets no response', ['IDLE 5', 'CHECKING_FOR_UPDATE 5', 'IDLE 5'], 1, 'could not check'],
    ['gets no response and reports an error', ['IDLE 5', 'REPORTING_ERROR_EVENT 5', 'IDLE 5'], 1, 'failed'],
    ['cannot download', ['IDLE 5', 'UPDATE_AVAILABLE 9', 'IDLE 9'], 1, 'failed to stage'],
    ['aborts a download', ['DOWNLOADING 5', 'DOWNLOADING 5', 'IDLE 5'], 1, 'failed to stage'],
    ['finds an invalid update', ['IDLE 5', 'REPORTING_ERROR_EVENT 9', 'IDLE 9'], 1, 'failed to stage'],
    ['reports an invalid status', ['IDLE 5', '(null) 0'], 1, 'could not check'],
    ['exits', ['IDLE 5', 'CHECKING_FOR_UPDATE 5'], 7, ''],
  ])('fail the stage step if the engine %s', (_case, states, exitCode, message) => {
    const result = stageUpgrade(states);
    expect([result.exitCode, decodeText(result.stderr)]).toEqual([exitCode, expect.stringContaining(message)]);
  });

  test('return the booted version and the engine status', () => {
    const tools = { update_engine_client: status('UPDATED_NEED_REBOOT', '4230.2.4') };
    const files = { '/etc/os-release': 'ID=flatcar\nVERSION=4230.2.3\nVERSION_ID=4230.2.3\n' };
    const query = flatcar.image?.deployments;
    const result = inMinimalRoot({ programsFrom: 'this machine', tools, files }, root =>
      root.run(query?.argv ?? ['false']),
    );
    expect(query?.parse(result)).toMatchObject({
      booted: { version: '4230.2.3' },
      staged: { version: '4230.2.4' },
    });
  });
});
