import { describe, expect, test } from 'vitest';
import type { Fault } from './faults.ts';
import { inShort, LIMITS, lab } from './lab.ts';

describe('a reboot', () => {
  test('begins a moment after its command was answered, and takes its time', async () => {
    const { host, clock, tell } = lab();
    expect(await tell('reboot')).toBe('0');
    await clock.advance(199);
    expect(host.isUp).toBe(true);
    await clock.advance(1);
    expect(host.isUp).toBe(false);
    expect(await tell('ls')).toBe('unreachable');
    await clock.advanceUntil(() => host.isUp, 60_000);
    expect(host.boots.map(({ cause }) => cause)).toEqual(['first', 'asked']);
    expect(host.boots[1]?.atMs).toBe(clock.now());
    expect(await tell('ls')).toBe('0');
  });

  test('gives the host a new boot id, an uptime from the beginning, and an empty /run', async () => {
    const { host, clock, tell } = lab();
    const { machine } = host;
    await tell('touch', 'x');
    machine.downloaded.set('kernel', '2.0');
    machine.services.add('sshd');
    const before = await tell('cat', '/proc/sys/kernel/random/boot_id');
    expect(machine.uptimeMs).toBeGreaterThan(3_600_000);
    await tell('reboot');
    await clock.advance(30_000);
    const after = await tell('cat', '/proc/sys/kernel/random/boot_id');
    expect(after).toBe(`0 ${machine.bootId}`);
    expect(after).not.toBe(before);
    expect(after).toMatch(/^0 [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(machine.uptimeMs).toBeLessThan(30_000);
    expect([machine.run.size, machine.downloaded.size, machine.services.size]).toEqual([0, 1, 1]);
  });

  test('breaks connections and what runs on them, which does not take effect any more', async () => {
    const { host, clock, settle, connect } = lab({
      faults: [{ kind: 'slow', commandMs: 10_000, on: /late/ }],
    });
    const connection = await connect();
    const late = connection.run(['touch', 'late'], LIMITS);
    expect(inShort(await settle(connection.run(['reboot'], LIMITS)))).toBe('0');
    expect(inShort(await settle(late))).toBe('unreachable');
    await clock.advance(60_000);
    expect(host.journal).toMatchObject([
      { argv: ['touch', 'late'], tookEffect: false, outcome: 'unreachable' },
      { argv: ['reboot'], tookEffect: true, outcome: 0 },
    ]);
  });

  test('that is asked for twice before it begins happens once', async () => {
    const { host, clock, tell } = lab();
    await tell('reboot');
    await tell('reboot');
    await clock.advance(120_000);
    expect(host.boots).toHaveLength(2);
  });

  test('ends what machines do in the background', async () => {
    const { host, clock, tell } = lab();
    const done: string[] = [];
    host.machine.after(100, () => done.push('short'));
    host.machine.after(10_000, () => done.push('long'));
    await tell('reboot');
    await clock.advance(120_000);
    expect(done).toEqual(['short']);
  });

  const STAGED = { version: '2', checksum: 'bb', image: '' };
  test.each<[string, boolean, Fault[], string]>([
    ['applies a staged deployment', false, [], '2'],
    ['does not apply one that is locked', true, [], '1'],
    ['into the old version drops it', false, [{ kind: 'rolled_back' }], '1'],
  ])('%s', async (_what, isLocked, faults, version) => {
    const { host, clock, tell } = lab({ faults });
    host.machine.staged = { ...STAGED, isLocked };
    await tell('reboot');
    expect(host.machine.booted?.version).toBe('1');
    await clock.advance(30_000);
    expect(host.machine.booted?.version).toBe(version);
    expect(host.machine.staged).toBeUndefined();
  });

  test.each<[string, Fault, number, string[]]>([
    ['late has not happened early', { kind: 'reboot_late', byMs: 300_000 }, 299_000, ['first']],
    ['late happens', { kind: 'reboot_late', byMs: 300_000 }, 330_000, ['first', 'asked']],
    [
      'twice goes on by itself',
      { kind: 'reboot_twice', afterMs: 5000 },
      600_000,
      ['first', 'asked', 'by_itself'],
    ],
    ['never does not happen', { kind: 'reboot_never' }, 600_000, ['first']],
  ])('%s', async (_what, fault, withinMs, causes) => {
    const { host, clock, tell } = lab({ faults: [fault] });
    expect(await tell('reboot')).toBe('0');
    await clock.advance(withinMs);
    expect(host.boots.map(({ cause }) => cause)).toEqual(causes);
    expect(new Set(host.boots.map(({ bootId }) => bootId)).size).toBe(causes.length);
  });
});

describe('a host that is switched off', () => {
  test('is down until it is switched on, and boots then', async () => {
    const { host, clock, tell } = lab({ bootMs: 5000 });
    host.switchOff();
    await clock.advance(600_000);
    expect(await tell('ls')).toBe('unreachable');
    host.switchOn();
    await clock.advance(4000);
    expect(host.isUp).toBe(false);
    await clock.advance(1000);
    expect(host.isUp).toBe(true);
    expect(host.boots).toHaveLength(2);
  });

  test('while it boots does not come up', async () => {
    const { host, clock, tell } = lab();
    await tell('reboot');
    await clock.advance(1000);
    host.switchOff();
    await clock.advance(600_000);
    expect(host.isUp).toBe(false);
  });
});
