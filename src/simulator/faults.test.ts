import { describe, expect, test } from 'vitest';
import type { Fault } from './faults.ts';
import { LIMITS, simulatorFixture, summarizeResult } from './simulator-fixture.ts';

describe('a fault:', () => {
  /** The fault, what three commands are answered, and which of them have taken effect some time later, in which order. */
  const CASES: readonly (readonly [string, Fault, readonly string[], string])[] = [
    [
      'unreachable for two tries',
      { kind: 'unreachable', times: 2 },
      ['unreachable', 'unreachable', '0'],
      'c',
    ],
    [
      'unreachable until told otherwise',
      { kind: 'unreachable' },
      ['unreachable', 'unreachable', 'unreachable'],
      '',
    ],
    ['auth rejected once', { kind: 'auth_rejected', times: 1 }, ['auth_rejected', '0', '0'], 'bc'],
    [
      'auth rejected always',
      { kind: 'auth_rejected' },
      ['auth_rejected', 'auth_rejected', 'auth_rejected'],
      '',
    ],
    ['no shell once', { kind: 'no_shell', on: /b/, times: 1 }, ['0', 'no_shell', '0'], 'ac'],
    [
      'a changed key',
      { kind: 'key_changed' },
      ['host_key_changed', 'host_key_changed', 'host_key_changed'],
      '',
    ],
    ['slow to connect, within the limit', { kind: 'slow', connectMs: 59_000 }, ['0', '0', '0'], 'abc'],
    [
      'slow to connect once, beyond the limit',
      { kind: 'slow', connectMs: 61_000, times: 1 },
      ['timed_out', '0', '0'],
      'bc',
    ],
    [
      'a slow command, carried out after its caller gave up',
      { kind: 'slow', commandMs: 61_000, times: 1 },
      ['timed_out', '0', '0'],
      'bca',
    ],
    [
      'one kind of command that is slow',
      { kind: 'slow', commandMs: 61_000, on: /b$/ },
      ['0', 'timed_out', '0'],
      'acb',
    ],
    ['a frozen host', { kind: 'frozen' }, ['timed_out', 'timed_out', 'timed_out'], ''],
    [
      'a host frozen before it lets anybody in',
      { kind: 'frozen', at: 'connect' },
      ['timed_out', 'timed_out', 'timed_out'],
      '',
    ],
    ['one kind of command that freezes', { kind: 'frozen', on: /b$/ }, ['0', 'timed_out', '0'], 'ac'],
    [
      'a wrong exit code, twice',
      { kind: 'exit', exitCode: 3, stderr: 'no', times: 2 },
      ['3 no', '3 no', '0'],
      'c',
    ],
    [
      'a wrong exit code of one kind of command',
      { kind: 'exit', exitCode: 3, on: /touch b/ },
      ['0', '3', '0'],
      'ac',
    ],
    [
      'a wrong exit code of a command that took effect',
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
      'cuts of some kinds of commands',
      { kind: 'cut', tookEffect: true, on: / [ac]$/ },
      ['unreachable', '0', 'unreachable'],
      'abc',
    ],
    ['a cut with no chance', { kind: 'cut', tookEffect: false, chance: 0 }, ['0', '0', '0'], 'abc'],
    [
      'a cut that is certain',
      { kind: 'cut', tookEffect: false, chance: 1 },
      ['unreachable', 'unreachable', 'unreachable'],
      '',
    ],
  ];

  test.each(CASES)('%s has its effect on three commands', async (_what, fault, answers, effects) => {
    const { host, tell, clock } = simulatorFixture();
    const results: string[] = [];
    host.addFault(fault);
    for (const name of ['a', 'b', 'c']) results.push(await tell('touch', name));
    await clock.advance(120_000);
    expect(results).toEqual(answers);
    expect([...host.machine.runFiles.keys()].join('')).toBe(effects);
  });

  test.each(CASES)('%s is over once the host has recovered from it', async (_what, fault) => {
    const { host, tell } = simulatorFixture();
    host.addFault(fault);
    host.clearFaults('disk_full');
    expect(host.faults?.all).toEqual([fault]);
    host.clearFaults(fault.kind);
    expect(host.faults?.all).toEqual([]);
    expect(await tell('touch', 'x')).toBe('0');
  });

  test('a full disk is for the fake to act upon', async () => {
    const { host, tell } = simulatorFixture({ faults: [{ kind: 'disk_full' }] });
    expect(await tell('touch', 'x')).toMatch(/^1 .*No space left/);
    host.clearFaults();
    expect(await tell('touch', 'x')).toBe('0');
  });

  test('a changed key is told, and stays the same', async () => {
    const { host, tryToConnect } = simulatorFixture();
    const hostKeys = [host.hostKey];
    host.addFault({ kind: 'key_changed' });
    const [one, two] = [await tryToConnect({ hostKeys }), await tryToConnect({ hostKeys })];
    expect(one).toMatchObject({ kind: 'host_key_changed', presentedKey: host.hostKey });
    expect(two).toEqual(one);
    expect(hostKeys).not.toContain(host.hostKey);
  });

  test('a network that is gone breaks what is open', async () => {
    const { host, connect, settle } = simulatorFixture();
    const answer = (await connect()).run(['touch', 'x'], LIMITS);
    host.addFault({ kind: 'unreachable' });
    expect(summarizeResult(await settle(answer))).toBe('unreachable');
  });

  test('a frozen host carries out what it was sent when it thaws, long after the caller gave up', async () => {
    const { host, tell, clock } = simulatorFixture({ faults: [{ kind: 'frozen' }] });
    expect(await tell('touch', 'x')).toBe('timed_out');
    host.clearFaults();
    await clock.advance(1000);
    expect(host.machine.runFiles.has('x')).toBe(true);
    expect(host.journal).toMatchObject([{ tookEffect: true, outcome: 'timed_out' }]);
  });

  test('a frozen host that is switched off forgets what it was sent', async () => {
    const { host, tell, clock } = simulatorFixture({ faults: [{ kind: 'frozen' }] });
    await tell('touch', 'x');
    host.powerOff();
    host.powerOn();
    host.clearFaults();
    await clock.advance(60_000);
    expect(host.isUp).toBe(true);
    expect(host.machine.runFiles.size).toBe(0);
  });

  test('what has a chance hits as the seed says', async () => {
    const runHistory = async (seed: number) => {
      const { tell } = simulatorFixture(
        { faults: [{ kind: 'cut', tookEffect: false, chance: 0.3 }] },
        { seed },
      );
      const answers: string[] = [];
      for (let count = 0; count < 40; count += 1) answers.push(await tell('touch', 'x'));
      return answers.join(' ');
    };
    const [one, again, other] = [await runHistory(1), await runHistory(1), await runHistory(2)];
    expect(one).toContain('unreachable');
    expect(one).toContain('0');
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });
});
