import { describe, expect, test } from 'vitest';
import { LIMITS, simulatorFixture, summarizeResult } from '../../test/harness/simulation/simulator-fixture.ts';
import type { Fault } from './faults.ts';

describe('simulated reboot', () => {
  test('starts shortly after the command returned, and takes the boot time', async () => {
    const { host, clock, runOnce } = simulatorFixture();
    expect(await runOnce('reboot')).toBe('0');
    await clock.advance(199);
    expect(host.isUp).toBe(true);
    await clock.advance(1);
    expect(host.isUp).toBe(false);
    expect(await runOnce('ls')).toBe('unreachable');
    await clock.advanceUntil(() => host.isUp, 60_000);
    expect(host.boots.map(({ cause }) => cause)).toEqual(['first', 'requested']);
    expect(host.boots[1]?.atMs).toBe(clock.now());
    expect(await runOnce('ls')).toBe('0');
  });

  test('changes the boot ID, resets the uptime and empties /run', async () => {
    const { host, clock, runOnce } = simulatorFixture();
    const { machine } = host;
    await runOnce('touch', 'x');
    machine.downloaded.set('kernel', '2.0');
    machine.services.add('sshd');
    const before = await runOnce('cat', '/proc/sys/kernel/random/boot_id');
    expect(machine.uptimeMs).toBeGreaterThan(3_600_000);
    await runOnce('reboot');
    await clock.advance(30_000);
    const after = await runOnce('cat', '/proc/sys/kernel/random/boot_id');
    expect(after).toBe(`0 ${machine.bootId}`);
    expect(after).not.toBe(before);
    expect(after).toMatch(/^0 [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(machine.uptimeMs).toBeLessThan(30_000);
    expect([machine.runFiles.size, machine.downloaded.size, machine.services.size]).toEqual([0, 1, 1]);
  });

  test('breaks connections and cancels running commands', async () => {
    const { host, clock, settle, connect } = simulatorFixture({
      faults: [{ kind: 'slow', commandMs: 10_000, on: /late/ }],
    });
    const connection = await connect();
    const late = connection.run(['touch', 'late'], LIMITS);
    expect(summarizeResult(await settle(connection.run(['reboot'], LIMITS)))).toBe('0');
    expect(summarizeResult(await settle(late))).toBe('unreachable');
    await clock.advance(60_000);
    expect(host.journal).toMatchObject([
      { argv: ['touch', 'late'], tookEffect: false, outcome: 'unreachable' },
      { argv: ['reboot'], tookEffect: true, outcome: 0 },
    ]);
  });

  test('happens once if requested twice before it starts', async () => {
    const { host, clock, runOnce } = simulatorFixture();
    await runOnce('reboot');
    await runOnce('reboot');
    await clock.advance(120_000);
    expect(host.boots).toHaveLength(2);
  });

  test('cancels background work of the machine', async () => {
    const { host, clock, runOnce } = simulatorFixture();
    const done: string[] = [];
    host.machine.power.after(100, () => done.push('short'));
    host.machine.power.after(10_000, () => done.push('long'));
    await runOnce('reboot');
    await clock.advance(120_000);
    expect(done).toEqual(['short']);
  });

  const STAGED = { version: '2', checksum: 'bb', image: '' };
  test.each<[string, boolean, Fault[], string]>([
    ['applies a staged deployment', false, [], '2'],
    ['does not apply a locked deployment', true, [], '1'],
    ['drops the staged deployment after a rollback', false, [{ kind: 'rolled_back' }], '1'],
  ])('%s', async (_what, isLocked, faults, version) => {
    const { host, clock, runOnce } = simulatorFixture({ faults });
    host.machine.staged = { ...STAGED, isLocked };
    await runOnce('reboot');
    expect(host.machine.booted?.version).toBe('1');
    await clock.advance(30_000);
    expect(host.machine.booted?.version).toBe(version);
    expect(host.machine.staged).toBeUndefined();
  });

  test.each<[string, Fault, number, string[]]>([
    ['is still pending before the delay of reboot_late', { kind: 'reboot_late', byMs: 300_000 }, 299_000, ['first']],
    ['happens after the delay of reboot_late', { kind: 'reboot_late', byMs: 300_000 }, 330_000, ['first', 'requested']],
    [
      'is followed by another one with reboot_twice',
      { kind: 'reboot_twice', afterMs: 5000 },
      600_000,
      ['first', 'requested', 'unrequested'],
    ],
    ['does not happen with reboot_never', { kind: 'reboot_never' }, 600_000, ['first']],
  ])('%s', async (_what, fault, withinMs, causes) => {
    const { host, clock, runOnce } = simulatorFixture({ faults: [fault] });
    expect(await runOnce('reboot')).toBe('0');
    await clock.advance(withinMs);
    expect(host.boots.map(({ cause }) => cause)).toEqual(causes);
    expect(new Set(host.boots.map(({ bootId }) => bootId)).size).toBe(causes.length);
  });
});

describe('reboot_loop', () => {
  const causes = (host: ReturnType<typeof simulatorFixture>['host']) => host.boots.slice(1).map(({ cause }) => cause);

  test('reboots the host repeatedly after a requested reboot, until it recovers', async () => {
    const { host, clock, runOnce } = simulatorFixture({
      bootMs: 5000,
      faults: [{ kind: 'reboot_loop', everyMs: 10_000 }],
    });
    await clock.advance(60_000);
    expect(causes(host)).toEqual([]);
    await runOnce('reboot');
    await clock.advance(40_000);
    expect(causes(host)).toEqual(['requested', 'unrequested', 'unrequested']);
    host.clearFaults('reboot_loop');
    await clock.advance(600_000);
    expect(causes(host)).toHaveLength(3);
    expect(host.isUp).toBe(true);
  });

  test('ends after the given number of reboots', async () => {
    const { host, clock, runOnce } = simulatorFixture({
      faults: [{ kind: 'reboot_loop', everyMs: 3000, times: 2 }],
    });
    await runOnce('reboot');
    await clock.advance(600_000);
    expect(causes(host)).toEqual(['requested', 'unrequested', 'unrequested']);
  });

  test('starts again only at the next requested reboot', async () => {
    const { host, clock, runOnce } = simulatorFixture({ faults: [{ kind: 'reboot_loop', everyMs: 3000 }] });
    host.powerOff();
    host.powerOn();
    await clock.advance(600_000);
    expect(causes(host)).toEqual(['unrequested']);
    await runOnce('reboot');
    await clock.advance(60_000);
    expect(causes(host).length).toBeGreaterThan(2);
  });
});

describe('downSinceMs', () => {
  test('is set while the host is off or boots', async () => {
    const { host, clock } = simulatorFixture({ bootMs: 5000 });
    expect(host.downSinceMs).toBeUndefined();
    const offAtMs = clock.now();
    host.powerOff();
    await clock.advance(1000);
    host.powerOn();
    await clock.advance(4000);
    expect(host.downSinceMs).toBe(offAtMs);
    await clock.advance(1000);
    expect(host.downSinceMs).toBeUndefined();
  });

  test.each<[string, Fault, boolean]>([
    ['unreachable', { kind: 'unreachable' }, true],
    ['frozen at connect', { kind: 'frozen', at: 'connect' }, true],
    ['unreachable twice', { kind: 'unreachable', times: 2 }, false],
    ['frozen at a command', { kind: 'frozen' }, false],
    ['slow', { kind: 'slow', connectMs: 20_000 }, false],
    ['rejecting logins', { kind: 'auth_rejected' }, false],
  ])('is set for a host that is %s: $2', (_what, fault, isSet) => {
    const { host, clock } = simulatorFixture();
    host.addFault(fault);
    expect(host.downSinceMs).toBe(isSet ? clock.now() : undefined);
    host.clearFaults(fault.kind);
    expect(host.downSinceMs).toBeUndefined();
  });

  test('keeps the start of an outage that has several reasons', async () => {
    const { host, clock } = simulatorFixture({ bootMs: 5000 });
    const startMs = clock.now();
    host.addFault({ kind: 'unreachable' });
    await clock.advance(1000);
    host.powerOff();
    host.clearFaults();
    expect(host.downSinceMs).toBe(startMs);
  });
});

test('onDown reports each host that goes down, and why', async () => {
  const { fleet, host, clock, runOnce } = simulatorFixture({
    faults: [{ kind: 'reboot_twice', afterMs: 1000 }],
  });
  const causes: string[] = [];
  fleet.onDown = (address, cause) => causes.push(`${address} ${cause}`);
  await runOnce('reboot');
  await clock.advance(60_000);
  host.powerOff();
  expect(causes).toEqual(['10.0.0.1 requested', '10.0.0.1 unrequested', '10.0.0.1 unrequested']);
});

describe('powered-off host', () => {
  test('is down until it is powered on, and then boots', async () => {
    const { host, clock, runOnce } = simulatorFixture({ bootMs: 5000 });
    host.powerOff();
    await clock.advance(600_000);
    expect(await runOnce('ls')).toBe('unreachable');
    host.powerOn();
    await clock.advance(4000);
    expect(host.isUp).toBe(false);
    await clock.advance(1000);
    expect(host.isUp).toBe(true);
    expect(host.boots).toHaveLength(2);
  });

  test('does not come up if it is powered off while it boots', async () => {
    const { host, clock, runOnce } = simulatorFixture();
    await runOnce('reboot');
    await clock.advance(1000);
    host.powerOff();
    await clock.advance(600_000);
    expect(host.isUp).toBe(false);
  });
});
