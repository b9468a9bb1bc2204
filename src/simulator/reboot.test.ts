import { describe, expect, test } from 'vitest';
import { LIMITS, simulatedShell, simulatorFixture } from '../../test/harness/simulation/simulator-fixture.ts';
import type { HostQuery } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import { rpmOstree } from '../drivers/os/rpm-ostree/rpm-ostree.ts';
import type { RebootId } from '../procedures/reboot/reboot-guard.ts';
import type { RebootOptions } from '../procedures/reboot/reboot-scripts.ts';
import { blockReboot, probeReboot, sendRebootQuery } from '../procedures/reboot/reboot-scripts.ts';
import { simulatedRpmOstree } from './os/rpm-ostree.ts';
import { simulatedReboot } from './reboot.ts';

async function createHost(os = 'fixture') {
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
    query(sendRebootQuery(id, { deadlineS, customRebootArgv: null, ...options }));
  /** The number of reboots after everything has settled. */
  const boots = async () => {
    await clock.advance(60_000);
    return host.boots.length - 1;
  };
  const block = (id: RebootId = rebootId) => query(blockReboot(id));
  const probe = (id: RebootId = rebootId) => query(probeReboot(id));
  return { host, clock, rebootId, deadlineS, query, send, block, probe, boots };
}

describe('simulated reboot guard', () => {
  test('reboots once per marker, shortly after the reply, and drops the marker', async () => {
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

  test('does not reboot after the marker was blocked; another attempt has its own marker', async () => {
    const { rebootId, send, block, probe, boots } = await createHost();
    expect([await block(), await block(), await send()]).toEqual(['blocked', 'blocked', 'marker_exists']);
    expect(await probe()).toMatchObject({ marker: 'blocked', problem: '' });
    expect(await boots()).toBe(0);
    expect(await send({ ...rebootId, attempt: 2 }, { deadlineS: 9999 })).toBe('started');
    expect(await boots()).toBe(1);
  });

  test('rejects a command after its deadline without creating a marker', async () => {
    const { clock, send, probe, boots } = await createHost();
    await clock.advance(60_000);
    expect(await send()).toBe('too_late');
    expect(await probe()).toMatchObject({ marker: 'none' });
    expect(await boots()).toBe(0);
  });

  test('does not reboot if the script runs after the deadline, and reports it', async () => {
    const { clock, send, probe, boots } = await createHost();
    await clock.advance(59_500);
    expect(await send()).toBe('started');
    expect(await boots()).toBe(0);
    expect(await probe()).toMatchObject({
      marker: 'failed',
      problem: 'the reboot command ran after its deadline',
    });
  });

  test('lets a custom reboot command reboot the host', async () => {
    const { host, send, boots } = await createHost('coreos');
    const staged = { version: '44', checksum: 'c'.repeat(64), image: '' };
    host.machine.staged = { ...staged, isLocked: true };
    const customRebootArgv = rpmOstree.image?.finalize(staged).commands[0] ?? null;
    expect(await send(undefined, { customRebootArgv })).toBe('started');
    expect(await boots()).toBe(1);
    expect(host.machine.booted).toMatchObject({ version: '44' });
  });

  test('reports a failed custom reboot command; an exit fault affects only that command', async () => {
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

  test('does not reboot after a marker was blocked on a read-only /run, even when /run is writable again', async () => {
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

  test('requires root', async () => {
    const { host, rebootId, deadlineS, query, boots } = await createHost();
    expect(await query(sendRebootQuery(rebootId, { deadlineS, customRebootArgv: null }), false)).toBeUndefined();
    expect(await query(blockReboot(rebootId), false)).toBeUndefined();
    expect(await query(probeReboot(rebootId), false)).toBeUndefined();
    expect([host.machine.runFiles.size, await boots()]).toEqual([0, 0]);
  });
});
