// Hosts whose new image was applied but that must not boot it.

import { expect, test } from 'vitest';
import { skipHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { MINUTE } from '../../harness/simulation/simulation-options.ts';
import { createSimulatedCluster } from './simulated-cluster.ts';

const HOST = '127.0.0.1' as Address;
const UNLOCK = /lock-finalization --unlock/;
const LOCK = /exec ostree admin lock-finalization/;
describeSimulation('a host skipped after its image was applied', EACH_TEST, simulation => {
  async function skipWhileApplying() {
    const { ports, fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [HOST], { os: 'coreos', hasManager: false });
    const host = fleet.host(HOST);
    const { booted } = host.machine;
    host.addFault({ kind: 'slow', commandMs: 5000, on: UNLOCK });
    const id = await cluster.start('upgrade');
    await cluster.untilPhase(id, HOST, 'applying');
    await skipHosts(ports, LOCAL_ACTOR, { id, hosts: [HOST] });
    return { id, cluster, host, booted };
  }

  test('keeps its booted image when it is rebooted manually', async () => {
    const { id, cluster, host, booted } = await skipWhileApplying();
    await cluster.untilPhase(id, HOST, 'skipped');
    expect(
      simulation()
        .commandsRunOn(HOST)
        .some(command => UNLOCK.test(command)),
    ).toBe(true);
    expect(host.machine.staged).toMatchObject({ isLocked: true });
    expect(await cluster.planned(id, HOST)).toMatchObject({ problem: '', skipReason: 'by_hand' });
    host.powerOff();
    host.powerOn();
    await simulation().clock.advanceUntil(() => host.isUp, MINUTE);
    expect(host.machine.booted).toEqual(booted);
  });

  test('saves a changed host key that its rollback finds', async () => {
    const { id, cluster, host } = await skipWhileApplying();
    host.addFault({ kind: 'cut', tookEffect: false, on: LOCK });
    host.addFault({ kind: 'key_changed' });
    await cluster.untilPhase(id, HOST, 'skipped');
    const access = await simulation().store.reads.hostAccess.get(HOST);
    expect(access?.pendingHostKey).toBe(host.hostKey);
    await simulation().waitForStatus(HOST, 'failed (host_key_changed)');
  });

  test('reports when the staged image cannot be locked again', async () => {
    const { id, cluster, host } = await skipWhileApplying();
    host.addFault({ kind: 'exit', exitCode: 1, stderr: 'read-only', on: LOCK });
    await cluster.untilPhase(id, HOST, 'skipped');
    expect(host.machine.staged).toMatchObject({ isLocked: false });
    expect(await cluster.planned(id, HOST)).toMatchObject({
      problem: 'the staged version could not be locked and will be activated by the next boot',
    });
  });
});

describeSimulation('a host that reboots unexpectedly after its image was applied', EACH_TEST, simulation => {
  test('fails with a cordoned node when it does not come back in time', async () => {
    const { fleet, store } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [HOST], { os: 'coreos', bootMs: 150_000 });
    const id = await cluster.start('deploy', { timeouts: { rebootS: 120 } }, '44.1');
    await cluster.until(async () => {
      const [rollout] = await store.reads.tasks.listSaved(HOST);
      return rollout?.state.done['plan_reboot'] !== undefined;
    });
    fleet.host(HOST).powerOff();
    fleet.host(HOST).powerOn();
    await cluster.untilEnded(id);
    expect(await cluster.operation(id)).toMatchObject({ state: 'failed' });
    expect(await cluster.planned(id, HOST)).toMatchObject({
      phase: 'failed',
      holdsSlot: true,
      problem: expect.stringMatching(/^unreachable: .*; the node is still cordoned$/),
    });
  });
});
