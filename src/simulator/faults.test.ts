import { describe, expect, test } from 'vitest';
import { LIMITS, simulatorFixture, summarizeResult } from '../../test/harness/simulation/simulator-fixture.ts';
import type { Fault } from './faults.ts';

describe('simulated fault', () => {
  /**
   * The name, the fault, the results of three commands, and which commands have taken effect some time later, in order.
   */
  const CASES: readonly (readonly [string, Fault, readonly string[], string])[] = [
    ['unreachable for two attempts', { kind: 'unreachable', times: 2 }, ['unreachable', 'unreachable', '0'], 'c'],
    ['lasting unreachable', { kind: 'unreachable' }, ['unreachable', 'unreachable', 'unreachable'], ''],
    ['auth rejected once', { kind: 'auth_rejected', times: 1 }, ['auth_rejected', '0', '0'], 'bc'],
    ['auth rejected always', { kind: 'auth_rejected' }, ['auth_rejected', 'auth_rejected', 'auth_rejected'], ''],
    ['no shell once', { kind: 'no_shell', on: /b/, times: 1 }, ['0', 'no_shell', '0'], 'ac'],
    ['a changed key', { kind: 'key_changed' }, ['host_key_changed', 'host_key_changed', 'host_key_changed'], ''],
    ['slow to connect, within the limit', { kind: 'slow', connectMs: 59_000 }, ['0', '0', '0'], 'abc'],
    [
      'slow to connect once, beyond the limit',
      { kind: 'slow', connectMs: 61_000, times: 1 },
      ['timed_out', '0', '0'],
      'bc',
    ],
    [
      'slow command that takes effect after its timeout',
      { kind: 'slow', commandMs: 61_000, times: 1 },
      ['timed_out', '0', '0'],
      'bca',
    ],
    ['slow for matching commands', { kind: 'slow', commandMs: 61_000, on: /b$/ }, ['0', 'timed_out', '0'], 'acb'],
    ['a frozen host', { kind: 'frozen' }, ['timed_out', 'timed_out', 'timed_out'], ''],
    ['frozen at connect', { kind: 'frozen', at: 'connect' }, ['timed_out', 'timed_out', 'timed_out'], ''],
    ['frozen for matching commands', { kind: 'frozen', on: /b$/ }, ['0', 'timed_out', '0'], 'ac'],
    ['exit code, twice', { kind: 'exit', exitCode: 3, stderr: 'no', times: 2 }, ['3 no', '3 no', '0'], 'c'],
    ['exit code of matching commands', { kind: 'exit', exitCode: 3, on: /touch b/ }, ['0', '3', '0'], 'ac'],
    [
      'exit code of a command that took effect',
      { kind: 'exit', exitCode: 3, on: /touch b/, tookEffect: true },
      ['0', '3', '0'],
      'abc',
    ],
    [
      'a cut before the command took effect',
      { kind: 'cut', tookEffect: false, times: 1 },
      ['unreachable', '0', '0'],
      'bc',
    ],
    [
      'a cut after the command took effect',
      { kind: 'cut', tookEffect: true, times: 1 },
      ['unreachable', '0', '0'],
      'abc',
    ],
    [
      'cut of matching commands',
      { kind: 'cut', tookEffect: true, on: / [ac]$/ },
      ['unreachable', '0', 'unreachable'],
      'abc',
    ],
    ['cut with probability 0', { kind: 'cut', tookEffect: false, chance: 0 }, ['0', '0', '0'], 'abc'],
    [
      'cut with probability 1',
      { kind: 'cut', tookEffect: false, chance: 1 },
      ['unreachable', 'unreachable', 'unreachable'],
      '',
    ],
  ];

  test.each(CASES)('%s affects three commands', async (_what, fault, answers, effects) => {
    const { host, runOnce, clock } = simulatorFixture();
    const results: string[] = [];
    host.addFault(fault);
    for (const name of ['a', 'b', 'c']) results.push(await runOnce('touch', name));
    await clock.advance(120_000);
    expect(results).toEqual(answers);
    expect([...host.machine.runFiles.keys()].join('')).toBe(effects);
  });

  test.each(CASES)('%s ends when it is cleared', async (_what, fault) => {
    const { host, runOnce } = simulatorFixture();
    host.addFault(fault);
    host.clearFaults('disk_full');
    expect(host.faults?.all).toEqual([fault]);
    host.clearFaults(fault.kind);
    expect(host.faults?.all).toEqual([]);
    expect(await runOnce('touch', 'x')).toBe('0');
  });

  test('disk_full makes commands fail', async () => {
    const { host, runOnce } = simulatorFixture({ faults: [{ kind: 'disk_full' }] });
    expect(await runOnce('touch', 'x')).toMatch(/^1 .*No space left/);
    host.clearFaults();
    expect(await runOnce('touch', 'x')).toBe('0');
  });

  test('key_changed presents the same new key each time', async () => {
    const { host, tryToConnect } = simulatorFixture();
    const hostKeys = [host.hostKey];
    host.addFault({ kind: 'key_changed' });
    const [one, two] = [await tryToConnect({ hostKeys }), await tryToConnect({ hostKeys })];
    expect(one).toMatchObject({ kind: 'host_key_changed', presentedKey: host.hostKey });
    expect(two).toEqual(one);
    expect(hostKeys).not.toContain(host.hostKey);
  });

  test('unreachable breaks open connections', async () => {
    const { host, connect, settle } = simulatorFixture();
    const answer = (await connect()).run(['touch', 'x'], LIMITS);
    host.addFault({ kind: 'unreachable' });
    expect(summarizeResult(await settle(answer))).toBe('unreachable');
  });

  test('frozen executes a command after recovery, long after the client timed out', async () => {
    const { host, runOnce, clock } = simulatorFixture({ faults: [{ kind: 'frozen' }] });
    expect(await runOnce('touch', 'x')).toBe('timed_out');
    host.clearFaults();
    await clock.advance(1000);
    expect(host.machine.runFiles.has('x')).toBe(true);
    expect(host.journal).toMatchObject([{ tookEffect: true, outcome: 'timed_out' }]);
  });

  test('frozen drops pending commands when the host is powered off', async () => {
    const { host, runOnce, clock } = simulatorFixture({ faults: [{ kind: 'frozen' }] });
    await runOnce('touch', 'x');
    host.powerOff();
    host.powerOn();
    host.clearFaults();
    await clock.advance(60_000);
    expect(host.isUp).toBe(true);
    expect(host.machine.runFiles.size).toBe(0);
  });

  test('chance depends only on the seed', async () => {
    const runHistory = async (seed: number) => {
      const { runOnce } = simulatorFixture({ faults: [{ kind: 'cut', tookEffect: false, chance: 0.3 }] }, { seed });
      const answers: string[] = [];
      for (let count = 0; count < 40; count += 1) answers.push(await runOnce('touch', 'x'));
      return answers.join(' ');
    };
    const [one, again, other] = [await runHistory(1), await runHistory(1), await runHistory(2)];
    expect(one).toContain('unreachable');
    expect(one).toContain('0');
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });
});
