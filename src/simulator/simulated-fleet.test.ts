import { describe, expect, test } from 'vitest';
import {
  address,
  LIMITS,
  simulatedShell,
  simulatorFixture,
  summarizeResult,
  targetOf,
} from '../../test/harness/simulation/simulator-fixture.ts';
import { VirtualClock } from '../../test/harness/simulation/virtual-clock.ts';
import { isHostKey } from '../domain/hosts/host-key.ts';
import { Secret } from '../domain/secret.ts';
import type { ObservedCommand } from './run-command.ts';
import { SimulatedFleet } from './simulated-fleet.ts';
import type { CommandSimulator } from './simulated-machine.ts';

const simulatorReplying = (word: string, words: readonly string[]): CommandSimulator => ({
  templates: {},
  execute: (_machine, [program]) =>
    words.includes(program) ? { exitCode: 0, stdout: Buffer.from(word), stderr: new Uint8Array() } : undefined,
});

describe('SimulatedFleet', () => {
  test('queries the simulator of the OS first, then the common simulators, and rejects unknown commands', async () => {
    const common = [simulatorReplying('first', ['a', 'ls']), simulatorReplying('second', ['a', 'b'])];
    const { runOnce } = simulatorFixture({}, { simulators: { systems: [simulatedShell], common } });
    expect([await runOnce('ls'), await runOnce('a'), await runOnce('b')]).toEqual(['0', '0 first', '0 second']);
    expect(await runOnce('c')).toBe('127 sh: 1: c: not found');
  });

  test('rejects an unknown OS and a second host at the same address', () => {
    const { fleet } = simulatorFixture();
    expect(() => fleet.add(address('10.0.0.2'), { os: 'unknown-os' })).toThrow('available: fixture');
    expect(() => fleet.add(address('10.0.0.1'), { os: 'fixture' })).toThrow('already');
    expect(() => fleet.host(address('10.0.0.9'))).toThrow('no host');
  });

  test('accepts only the configured user and keys', async () => {
    const { tryToConnect, target } = simulatorFixture({ user: 'admin', acceptedKeys: [new Secret('a2V5')] });
    expect(await tryToConnect()).toHaveProperty('hostKey');
    expect(await tryToConnect({ user: 'other' })).toHaveProperty('kind', 'auth_rejected');
    expect(await tryToConnect({ privateKey: new Secret('eA==') })).toHaveProperty('kind', 'auth_rejected');
    expect(target.user).toBe('admin');
  });

  test('requires a password for sudo if configured', async () => {
    const { connect, settle } = simulatorFixture({ canSudo: false });
    const connection = await connect();
    const run = (asRoot: boolean) => settle(connection.run(['id', '-u'], { ...LIMITS, asRoot }));
    expect(summarizeResult(await run(false))).toBe('0 1000');
    expect(summarizeResult(await run(true))).toBe('1 sudo: a password is required');
  });

  test('gives each host its own key, the same for the same seed', () => {
    const keys = (seed: number) => {
      const { fleet, host } = simulatorFixture({}, { seed });
      return [host.hostKey, fleet.add(address('fd00::1'), { os: 'fixture' }).hostKey];
    };
    expect(keys(1).every(isHostKey)).toBe(true);
    expect(keys(1)).toEqual(keys(1));
    expect(new Set([...keys(1), ...keys(2)]).size).toBe(4);
  });

  test('counts connections and commands', async () => {
    const { fleet, connect, runOnce } = simulatorFixture();
    const connection = await connect();
    await runOnce('ls');
    await runOnce('ls');
    expect(fleet.counters).toEqual({
      connectAttempts: 3,
      connectionsOpen: 1,
      maxConnectionsOpen: 2,
      connectionsTotal: 3,
      commands: 2,
    });
    connection.close();
    expect(fleet.counters.connectionsOpen).toBe(0);
  });

  test('opens no connection after the client aborted', async () => {
    const { fleet, target, clock } = simulatorFixture();
    const controller = new AbortController();
    const answer = fleet.transport.connect(target, { ...LIMITS, signal: controller.signal });
    controller.abort();
    expect(await answer).toHaveProperty('kind', 'unreachable');
    await clock.advance(1000);
    expect(fleet.counters.connectionsTotal).toBe(0);
  });

  test('keeps the latest commands of each host up to the journal length', async () => {
    const { host, clock, runOnce } = simulatorFixture({}, { journalLength: 2 });
    for (const name of ['a', 'b', 'c']) await runOnce('touch', name);
    expect(host.commands).toBe(3);
    expect(host.journal).toEqual([
      expect.objectContaining({ argv: ['touch', 'b'], bootId: host.machine.bootId, outcome: 0 }),
      {
        argv: ['touch', 'c'],
        bootId: host.machine.bootId,
        outcome: 0,
        asRoot: false,
        tookEffect: true,
        atMs: clock.now() - 20,
      },
    ]);
  });

  test('shows each command to the observer before and after its effect, and lets it hold the command back', async () => {
    const { fleet, host, clock, connect, settle } = simulatorFixture();
    const seen: [ObservedCommand['moment'], number][] = [];
    const hold = Promise.withResolvers<void>();
    fleet.onCommand = ({ moment, host: { machine } }) => {
      seen.push([moment, machine.runFiles.size]);
      return moment === 'before' ? hold.promise : undefined;
    };
    const connection = await connect();
    const answer = connection.run(['touch', 'x'], LIMITS);
    await clock.advance(10_000);
    expect(host.machine.runFiles.size).toBe(0);
    hold.resolve();
    expect(summarizeResult(await settle(answer))).toBe('0');
    expect(seen).toEqual([
      ['before', 0],
      ['after', 1],
    ]);
  });

  test('sets no timer for zero latencies', async () => {
    const clock = new VirtualClock();
    const latencies = { connectMs: 0, commandMs: 0 };
    const fleet = new SimulatedFleet({ clock, simulators: { systems: [simulatedShell] }, latencies });
    const host = fleet.add(address('10.0.0.1'), { os: 'fixture' });
    const connection = await fleet.transport.connect(targetOf(host.address), LIMITS);
    if (!('run' in connection)) throw new Error(String(connection));
    expect(summarizeResult(await connection.run(['id', '-u'], LIMITS))).toBe('0 1000');
    expect(clock.pending).toBe(0);
  });

  test('is reproducible with the same seed', async () => {
    const runHistory = async (seed: number) => {
      const { host, runOnce, clock } = simulatorFixture(
        { faults: [{ kind: 'cut', tookEffect: true, chance: 0.5 }] },
        { seed },
      );
      for (const name of ['a', 'b', 'c', 'd']) await runOnce('touch', name);
      await runOnce('reboot');
      await clock.advance(60_000);
      for (const name of ['e', 'f', 'g', 'h']) await runOnce('touch', name);
      return { journal: host.journal, boots: host.boots, endsAt: clock.now() };
    };
    expect(await runHistory(7)).toEqual(await runHistory(7));
    expect(await runHistory(7)).not.toEqual(await runHistory(8));
  });

  test('holds 100,000 hosts and can connect to each', async () => {
    const { fleet, clock } = simulatorFixture();
    const spec = { os: 'fixture', bootMs: 60_000 };
    for (let index = 0; index < 100_000; index += 1)
      fleet.add(address(`10.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`), spec);
    expect([...fleet.hosts]).toHaveLength(100_001);
    let answered = 0;
    const ask = async (index: number) => {
      const host = address(`10.1.${index >> 8}.${index & 255}`);
      const connection = await fleet.transport.connect(targetOf(host), LIMITS);
      if ('run' in connection) await connection.run(['id', '-u'], LIMITS);
      answered += 1;
    };
    for (let index = 0; index < 1000; index += 1) void ask(index);
    await clock.advanceUntil(() => answered === 1000, 60_000);
    expect(fleet.counters).toMatchObject({ commands: 1000, maxConnectionsOpen: 1000 });
    expect(clock.monotonicMs()).toBe(50);
  });
});
