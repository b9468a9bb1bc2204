import { describe, expect, test } from 'vitest';
import { describeInMinimalRoot, inMinimalRoot } from '../../../test/harness/shells/minimal-root.ts';
import { FixtureMachine } from '../../../test/harness/simulation/fixture-machine.ts';
import { osSimulators } from '../../simulator/os/os-simulators.ts';
import { simulatedResult } from '../../simulator/simulated-machine.ts';
import { readinessQuery } from './readiness.ts';

const BOOT_ID = '0f5ad1f2-2b8e-4a11-9d59-6b0ff4f0a9c3';
const UNPRIVILEGED_USER = { user: 'guest', isRoot: false };

describeInMinimalRoot('readiness script', () => {
  const FILES = { '/proc/sys/kernel/random/boot_id': `${BOOT_ID}\n` };
  const INACTIVE = 'ActiveState=inactive\nRequires=sysinit.target check.service';
  const ABSENT = 'ActiveState=inactive';
  const systemctl = (state: string, target: string, failed = 'none') => `case $1 in
is-system-running) echo ${state}; [ ${state} = running ] ;;
show) echo '${target}' ;;
is-failed) for unit; do [ "$unit" = ${failed} ] && exit 0; done; exit 1 ;;
esac`;
  const readReadiness = (tools: Readonly<Record<string, string>>, programsFrom: 'busybox' | 'this machine') =>
    readinessQuery.parse(inMinimalRoot({ programsFrom, tools, files: FILES }, root => root.run(readinessQuery.argv)));

  describe.each(['busybox', 'this machine'] as const)('with the shell of %s', of => {
    test.each<[string, string, boolean]>([
      ['running', ABSENT, true],
      ['degraded', ABSENT, true],
      ['offline', '', true],
      ['initializing', ABSENT, false],
      ['starting', ABSENT, false],
      ['stopping', ABSENT, false],
      ['maintenance', ABSENT, false],
      ['starting', 'ActiveState=active', false],
    ])('returns isUp $2 for the system state %s', (state, target, isUp) => {
      expect(readReadiness({ systemctl: systemctl(state, target) }, of)).toMatchObject({
        bootId: BOOT_ID,
        isUp,
      });
    });

    test.each<[string, string, string, boolean]>([
      ['is active', 'ActiveState=active\nRequires=sysinit.target check.service', 'none', true],
      ['has a job', `Job=217\n${INACTIVE}`, 'none', false],
      ['is unused', INACTIVE, 'none', true],
      ['is unused and has an empty job', `Job=\n${INACTIVE}`, 'none', true],
      ['is unused and has job 0', `Job=0\n${INACTIVE}`, 'none', true],
      ['requires a failed unit', INACTIVE, 'check.service', false],
      ['is unused while another unit has failed', INACTIVE, 'other.service', true],
    ])('returns isUp $3 for a boot-complete.target that %s', (_label, target, failed, isUp) => {
      expect(readReadiness({ systemctl: systemctl('degraded', target, failed) }, of)?.isUp).toBe(isUp);
    });

    test('reports a system without systemd as up', () => {
      expect(readReadiness({}, of)).toEqual({ bootId: BOOT_ID, isUp: true, detail: 'the system is up' });
    });

    test.each(['unknown', ''])('returns undefined for the invalid system state %j', state => {
      expect(readReadiness({ systemctl: systemctl(`"${state}"`, ABSENT) }, of)).toBeUndefined();
    });
  });
});

describe('readiness output', () => {
  test.each<[string, string[]]>([
    ['no boot ID', ['hostler-state running']],
    ['an invalid boot ID', ['hostler-boot-id 7', 'hostler-state running']],
    ['no state', [`hostler-boot-id ${BOOT_ID}`]],
    ['an unknown state', [`hostler-boot-id ${BOOT_ID}`, 'hostler-state constructor']],
  ])('is rejected with %s', (_label, lines) => {
    expect(readinessQuery.parse(simulatedResult(0, `${lines.join('\n')}\n`))).toBeUndefined();
  });

  test('is parsed between other output and has a fixed detail text', () => {
    const text = `Welcome!\nhostler-boot-id ${BOOT_ID}\r\nhostler-state degraded\r\nbye\n`;
    expect(readinessQuery.parse(simulatedResult(0, text))).toEqual({
      bootId: BOOT_ID,
      isUp: true,
      detail: 'the system is up, but some units have failed',
    });
  });
});

describe.each(Object.entries(osSimulators))('readiness of a simulated host of %s', (_type, { templates, execute }) => {
  test.each(Object.entries(templates))('is false for %s during startingMs', (_os, template) => {
    const query = (machine: FixtureMachine) => {
      const result = execute(machine, readinessQuery.argv, UNPRIVILEGED_USER);
      return result && readinessQuery.parse(result);
    };
    const [fast, slow] = [new FixtureMachine(template), new FixtureMachine({ ...template, startingMs: 5000 })];
    for (const machine of [fast, slow]) machine.boot();
    expect([query(fast)?.isUp, query(slow)?.isUp]).toEqual([true, false]);
    slow.power.uptimeMs = 5000;
    expect(query(slow)).toEqual({ bootId: slow.bootId, isUp: true, detail: 'the system is up' });
  });
});
