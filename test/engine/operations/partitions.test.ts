// Distinguishes an outage of hosts from a partition of the server.

import { expect, test } from 'vitest';
import { resumeOperation } from '../../../src/app/operations/control-operation.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import type { PolicyInput } from '../../../src/domain/rollout/policy.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { addresses, createSimulatedCluster } from './simulated-cluster.ts';

const [SECOND, MINUTE] = [1000, 60_000];

describeSimulation('an operation during an outage of hosts or of the network', EACH_TEST, simulation => {
  const clusterOf = async (count: number, isShared = false) => {
    await simulation().startServer({ isShared });
    return createSimulatedCluster(simulation(), addresses(count), { hasManager: false });
  };
  type Cluster = Awaited<ReturnType<typeof clusterOf>>;

  const cutOff = (hosts: readonly Address[]) => {
    for (const host of hosts) simulation().fleet.host(host).addFault({ kind: 'unreachable' });
  };
  const reconnect = (hosts: readonly Address[]) => {
    for (const host of hosts) simulation().fleet.host(host).clearFaults();
  };
  const statuses = (hosts: readonly Address[]) =>
    Promise.all(hosts.map(async host => (await simulation().describeStatus(host))?.split(' ')[0]));
  const stateOf = async (cluster: Cluster, id: string) => {
    const found = await cluster.operation(id);
    return found?.pause ? `${found.state}(${found.pause})` : found?.state;
  };

  /** Distinct states of the operation, sampled every second. */
  const statesWithin = async (cluster: Cluster, id: string, forMs: number) => {
    const states: (string | undefined)[] = [];
    for (let passedMs = 0; passedMs < forMs; passedMs += SECOND) {
      const state = await stateOf(cluster, id);
      if (states.at(-1) !== state) states.push(state);
      if (state === 'failed' || state === 'finished') break;
      await simulation().clock.advance(SECOND);
    }
    return states;
  };

  const startUntilVerifying = async (cluster: Cluster, inFlight: readonly Address[], policy: PolicyInput) => {
    const id = await cluster.start('restart', {
      maxUnavailable: inFlight.length,
      minHealthyS: 60,
      ...policy,
    });
    for (const host of inFlight) await cluster.untilPhase(id, host, 'verifying');
    return id;
  };

  test.each([
    [3, 20],
    [3, 6],
    [4, 20],
  ])('fails at the deadline when %d hosts in flight die and the others of %d respond', async (width, count) => {
    const cluster = await clusterOf(count);
    const inFlight = addresses(width);
    const id = await startUntilVerifying(cluster, inFlight, { timeouts: { readyS: 120 } });
    for (const host of inFlight) simulation().fleet.host(host).powerOff();
    expect(await statesWithin(cluster, id, 10 * MINUTE)).toEqual(['running', 'failed']);
    expect((await cluster.planned(id, inFlight[0] as Address))?.problem).toMatch(/^unreachable/);
  });

  test('fails at the deadline when its host passes checks but never completes the command of a step', async () => {
    const cluster = await clusterOf(6);
    const [host] = addresses(1) as [Address];
    simulation()
      .fleet.host(host)
      .addFault({ kind: 'frozen', on: /^id -u$/ });
    const id = await cluster.start('restart', { timeouts: { readyS: 120 } });
    await simulation().clock.advanceUntil(
      async () => (await cluster.planned(id, host))?.phase === 'failed',
      (120 + 60 + 30) * SECOND,
    );
    expect((await cluster.planned(id, host))?.problem).toMatch(/^timed_out|^unreachable/);
  });

  test('continues after one resume when every host is in flight and unreachable', async () => {
    const cluster = await clusterOf(3);
    const inFlight = addresses(3);
    const id = await startUntilVerifying(cluster, inFlight, { timeouts: { readyS: 120 } });
    for (const host of inFlight) simulation().fleet.host(host).powerOff();
    await cluster.until(async () => (await stateOf(cluster, id)) === 'paused(partitioned)');
    await simulation().clock.advance(MINUTE);
    await resumeOperation(simulation().ports, LOCAL_ACTOR, id);
    expect(await statesWithin(cluster, id, 10 * MINUTE)).toEqual(['running', 'failed']);
  });

  test.each([17, 18, 21])('treats %d unresponsive hosts of 30 as an outage after five minutes', async unresponsive => {
    const cluster = await clusterOf(30);
    const id = await startUntilVerifying(cluster, addresses(1), { timeouts: { readyS: 120 } });
    const down = addresses(30).slice(-unresponsive);
    cutOff(down);
    expect(await statesWithin(cluster, id, 20 * MINUTE)).toEqual([
      'running',
      'paused(partitioned)',
      'running',
      'failed',
    ]);
    expect(new Set(await statuses(down))).toEqual(new Set(['unreachable']));
  });

  test.each([
    ['its server is restarted', false],
    ['a second server starts', true],
  ])('stays paused when %s during a partition, and resumes after it', async (_when, isShared) => {
    const { servers, clock } = simulation();
    const cluster = await clusterOf(6, isShared);
    const hosts = addresses(6);
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, hosts[0] as Address, 'done');
    cutOff(hosts);
    await cluster.until(async () => (await stateOf(cluster, id)) === 'paused(partitioned)');
    await clock.advance(2 * MINUTE);
    if (!isShared) servers[0]?.control.inject('kill_server');
    await simulation().startServer({ isShared });
    await clock.advance(20 * MINUTE);
    expect(await stateOf(cluster, id)).toBe('paused(partitioned)');
    expect(new Set(await statuses(hosts))).toEqual(new Set(['active']));
    reconnect(hosts);
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done done done done done done');
  });
});
