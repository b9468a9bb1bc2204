import { describe, expect, test } from 'vitest';
import { describeInTinyRoot, inTinyRoot } from '../../../test/harness/shells/tiny-root.ts';
import { FixtureMachine } from '../../simulator/fixture-machine.ts';
import { osSimulators } from '../../simulator/os/os-simulators.ts';
import { simulatedResult } from '../../simulator/simulated-machine.ts';
import { readinessQuery } from './readiness.ts';

const BOOT_ID = '0f5ad1f2-2b8e-4a11-9d59-6b0ff4f0a9c3';
/** Without any right. */
const GUEST = { user: 'guest', isRoot: false };

describeInTinyRoot('whether a host has come up', () => {
  const FILES = { '/proc/sys/kernel/random/boot_id': `${BOOT_ID}\n` };
  const INACTIVE = 'ActiveState=inactive\nRequires=sysinit.target check.service';
  const ABSENT = 'ActiveState=inactive';
  const systemctl = (state: string, target: string, failed = 'none') => `case $1 in
is-system-running) echo ${state}; [ ${state} = running ] ;;
show) echo '${target}' ;;
is-failed) for unit; do [ "$unit" = ${failed} ] && exit 0; done; exit 1 ;;
esac`;
  const isUpOf = (tools: Readonly<Record<string, string>>, of: 'busybox' | 'this machine') =>
    readinessQuery.parse(inTinyRoot({ of, tools, files: FILES }, root => root.run(readinessQuery.argv)));

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
    ])('a system that is %s', (state, target, isUp) => {
      expect(isUpOf({ systemctl: systemctl(state, target) }, of)).toMatchObject({ bootId: BOOT_ID, isUp });
    });

    test.each<[string, string, string, boolean]>([
      ['is reached', 'ActiveState=active\nRequires=sysinit.target check.service', 'none', true],
      ['is on its way', `Job=217\n${INACTIVE}`, 'none', false],
      ['was never asked for', INACTIVE, 'none', true],
      ['was never asked for, and says so', `Job=\n${INACTIVE}`, 'none', true],
      ['was never asked for, and says so with a number', `Job=0\n${INACTIVE}`, 'none', true],
      ['cannot be reached, since what it requires has failed', INACTIVE, 'check.service', false],
      ['was never asked for, beside something else that failed', INACTIVE, 'other.service', true],
    ])('a boot-complete.target that %s', (_what, target, failed, isUp) => {
      expect(isUpOf({ systemctl: systemctl('degraded', target, failed) }, of)?.isUp).toBe(isUp);
    });

    test('a system without systemd', () => {
      expect(isUpOf({}, of)).toEqual({ bootId: BOOT_ID, isUp: true, detail: 'the system is up' });
    });

    test.each(['unknown', ''])('a systemd that says %j', state => {
      expect(isUpOf({ systemctl: systemctl(`"${state}"`, ABSENT) }, of)).toBeUndefined();
    });
  });
});

describe('what a host says of its boot', () => {
  test.each<[string, string[]]>([
    ['no boot id', ['hostler-state running']],
    ['a boot id that is none', ['hostler-boot-id 7', 'hostler-state running']],
    ['no state', [`hostler-boot-id ${BOOT_ID}`]],
    ['a state of its own', [`hostler-boot-id ${BOOT_ID}`, 'hostler-state constructor']],
  ])('makes no sense with %s', (_what, lines) => {
    expect(readinessQuery.parse(simulatedResult(0, `${lines.join('\n')}\n`))).toBeUndefined();
  });

  test('is read between the noise of others, and told in our own words', () => {
    const text = `Welcome!\nhostler-boot-id ${BOOT_ID}\r\nhostler-state degraded\r\nbye\n`;
    expect(readinessQuery.parse(simulatedResult(0, text))).toEqual({
      bootId: BOOT_ID,
      isUp: true,
      detail: 'the system is up, but some units have failed',
    });
  });
});

describe.each(Object.entries(osSimulators))('a pretend host of %s', (_type, { templates, execute }) => {
  test.each(Object.entries(templates))('%s is starting for as long as it is told to', (_os, template) => {
    const ask = (machine: FixtureMachine) => {
      const result = execute(machine, readinessQuery.argv, GUEST);
      return result && readinessQuery.parse(result);
    };
    const [quick, slow] = [
      new FixtureMachine(template),
      new FixtureMachine({ ...template, startingMs: 5000 }),
    ];
    for (const machine of [quick, slow]) machine.boot();
    expect([ask(quick)?.isUp, ask(slow)?.isUp]).toEqual([true, false]);
    slow.uptimeMs = 5000;
    expect(ask(slow)).toEqual({ bootId: slow.bootId, isUp: true, detail: 'the system is up' });
  });
});
