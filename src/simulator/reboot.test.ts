import { describe, expect, test } from 'vitest';
import type { HostQuery } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import { rpmOstree } from '../drivers/os/rpm-ostree/rpm-ostree.ts';
import { blockReboot } from '../procedures/reboot/block-reboot.ts';
import { probeReboot } from '../procedures/reboot/probe-reboot.ts';
import type { RebootId } from '../procedures/reboot/reboot-guard.ts';
import type { RebootOptions } from '../procedures/reboot/send-reboot.ts';
import { rebootQuery } from '../procedures/reboot/send-reboot.ts';
import { simulatedRpmOstree } from './os/rpm-ostree.ts';
import { isRebootCommand, simulatedReboot } from './reboot.ts';
import { LIMITS, simulatedShell, simulatorFixture } from './simulator-fixture.ts';

async function createHost(os = 'lab') {
  const simulators = { systems: [simulatedShell, simulatedRpmOstree], common: [simulatedReboot] };
  const { host, clock, connect, settle } = simulatorFixture({ os }, { simulators });
  const rebootId: RebootId = { operation: 'op', attempt: 1, bootId: host.machine.bootId };
  const deadlineS = Math.floor(host.machine.uptimeMs / 1000) + 60;
  const query = async <Answer>({ argv, parse }: HostQuery<Answer>, asRoot = true) => {
    const connection = await connect();
    const result = await settle(connection.run(argv, { ...LIMITS, asRoot }));
    connection.close();
    return result instanceof TransportFailure ? result : parse(result);
  };
  const send = (id: RebootId = rebootId, options: Partial<RebootOptions> = {}) =>
    query(rebootQuery(id, { deadlineS, customRebootArgv: null, ...options }));
  /** How often it was booted, when nothing is on its way any more. */
  const boots = async () => {
    await clock.advance(60_000);
    return host.boots.length - 1;
  };
  const block = (id: RebootId = rebootId) => query(blockReboot(id));
  const probe = (id: RebootId = rebootId) => query(probeReboot(id));
  return { host, clock, rebootId, deadlineS, query, send, block, probe, boots };
}

describe('a pretend host', () => {
  test('reboots once under a mark, a moment after its answer, and forgets the marker', async () => {
    const { host, clock, rebootId, send, block, probe, boots } = await createHost();
    expect(await probe()).toMatchObject({ marker: 'none', bootId: rebootId.bootId, uptimeS: 3600 });
    expect([await send(), await send(), await block()]).toEqual(['started', 'marker_exists', 'started']);
    expect(await probe()).toMatchObject({ marker: 'started', problem: '' });
    expect(host.isUp).toBe(true);
    await clock.advance(1200);
    expect(host.isUp).toBe(false);
    expect(await boots()).toBe(1);
    expect([await send(), await block()]).toEqual(['other_boot', 'other_boot']);
    const seen = await probe();
    expect(seen).toMatchObject({ marker: 'none', bootId: host.machine.bootId });
    expect(host.machine.bootId).not.toBe(rebootId.bootId);
    expect(await boots()).toBe(1);
  });

  test('does not reboot when the mark was taken; another attempt has a mark of its own', async () => {
    const { rebootId, send, block, probe, boots } = await createHost();
    expect([await block(), await block(), await send()]).toEqual(['blocked', 'blocked', 'marker_exists']);
    expect(await probe()).toMatchObject({ marker: 'blocked', problem: '' });
    expect(await boots()).toBe(0);
    expect(await send({ ...rebootId, attempt: 2 }, { deadlineS: 9999 })).toBe('started');
    expect(await boots()).toBe(1);
  });

  test('does not reboot for a command that comes late, which takes no marker', async () => {
    const { clock, send, probe, boots } = await createHost();
    await clock.advance(60_000);
    expect(await send()).toBe('too_late');
    expect(await probe()).toMatchObject({ marker: 'none' });
    expect(await boots()).toBe(0);
  });

  test('does not reboot when it comes to it late, and says so', async () => {
    const { clock, send, probe, boots } = await createHost();
    await clock.advance(59_500);
    expect(await send()).toBe('started');
    expect(await boots()).toBe(0);
    expect(await probe()).toMatchObject({
      marker: 'failed',
      problem: 'the reboot command ran after its deadline',
    });
  });

  test('lets the command reboot that does so by itself', async () => {
    const { host, send, boots } = await createHost('coreos');
    const staged = { version: '44', checksum: 'c'.repeat(64), image: '' };
    host.machine.staged = { ...staged, isLocked: true };
    const customRebootArgv = rpmOstree.image?.finalize(staged).commands[0] ?? null;
    expect(await send(undefined, { customRebootArgv })).toBe('started');
    expect(await boots()).toBe(1);
    expect(host.machine.booted).toMatchObject({ version: '44' });
  });

  test('tells how that command ended badly, which a fault hits and not what sends it', async () => {
    const { host, send, block, probe, boots } = await createHost();
    host.addFault({ kind: 'exit', exitCode: 4, stderr: 'not\nnow', on: /printf/, times: 1 });
    expect(await send(undefined, { customRebootArgv: ['printf', 'x'] })).toBe('started');
    expect(await boots()).toBe(0);
    const problem = 'the reboot command exited with 4: now';
    expect(await probe()).toMatchObject({ marker: 'failed', problem });
    expect([await block(), await send(undefined, { deadlineS: 9999 })]).toEqual(['started', 'marker_exists']);
  });

  test('reports a read-only /run and does not reboot', async () => {
    const { host, send, probe, boots } = await createHost();
    host.addFault({ kind: 'run_unwritable' });
    expect(await send()).toMatchObject({
      code: 'run_not_writable',
      detail: expect.stringMatching(/: Read-only file system$/),
    });
    expect(await probe()).toMatchObject({ marker: 'none' });
    expect(await boots()).toBe(0);
  });

  test('does not reboot after a mark was taken on a read-only /run, also when /run is writable again', async () => {
    const { host, rebootId, send, block, probe, boots } = await createHost();
    host.addFault({ kind: 'run_unwritable' });
    expect([await block(), await block()]).toEqual(['blocked', 'blocked']);
    expect(await probe()).toMatchObject({ marker: 'blocked' });
    host.clearFaults('run_unwritable');
    expect(await send()).toBe('marker_exists');
    expect(await boots()).toBe(0);
    expect(await send({ ...rebootId, attempt: 2 }, { deadlineS: 9999 })).toBe('started');
    expect(await boots()).toBe(1);
  });

  test('answers nobody but root', async () => {
    const { host, rebootId, deadlineS, query, boots } = await createHost();
    expect(await query(rebootQuery(rebootId, { deadlineS, customRebootArgv: null }), false)).toBeUndefined();
    expect(await query(blockReboot(rebootId), false)).toBeUndefined();
    expect(await query(probeReboot(rebootId), false)).toBeUndefined();
    expect([host.machine.runFiles.size, await boots()]).toEqual([0, 0]);
  });
});

test('a command that reboots is told from all others', () => {
  const mark: RebootId = { operation: 'op', attempt: 1, bootId: '2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11' };
  const by = [null, ['rpm-ostree', 'finalize-deployment']] as const;
  expect(
    by.map(each => isRebootCommand(rebootQuery(mark, { deadlineS: 1, customRebootArgv: each }).argv)),
  ).toEqual([true, true]);
  const others = [
    blockReboot(mark).argv,
    probeReboot(mark).argv,
    ['reboot'] as const,
    ['sh', '-c', 'x'] as const,
  ];
  expect(others.map(isRebootCommand)).toEqual([false, false, false, false]);
});
