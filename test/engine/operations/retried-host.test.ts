import { expect, test } from 'vitest';
import { retryHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import type { HostPhase } from '../../../src/domain/vocabulary.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import { createSimulatedCluster } from './simulated-cluster.ts';

const HOST = '127.0.0.1' as Address;
describeSimulation('a host that failed its check', EACH_TEST, simulation => {
  test.each([
    ['upgrade', 'debian', ''],
    ['deploy', 'coreos', '44.1'],
  ] as const)('is verified and uncordoned by a retry when nothing is left to %s', async (kind, os, version) => {
    const { ports, manager, fleet } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [HOST], { os });
    fleet.host(HOST).addFault({ kind: 'exit', exitCode: 1, stderr: 'no service', on: /^true check$/ });
    const id = await cluster.start(kind, { check: ['true', 'check'], timeouts: { readyS: 60 } }, version);
    const planned = () => cluster.planned(id, HOST);
    const until = (phase: HostPhase) => cluster.untilPhase(id, HOST, phase);
    const ended = (state: string) => cluster.until(async () => (await cluster.operation(id))?.state === state);

    await until('failed');
    await ended('failed');
    expect((await planned())?.problem).toMatch(/^check_failed: .*; the node is still cordoned$/);
    expect(manager.node(HOST).cordonedBy).toBe(`hostler/${id}/1`);
    const boots = fleet.host(HOST).boots.length;

    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: [HOST] });
    await until('failed');
    await ended('failed');
    expect((await planned())?.problem).toMatch(/^check_failed: /);

    fleet.host(HOST).clearFaults();
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined });
    await until('done');
    await ended('finished');
    expect(await planned()).toMatchObject({ attempt: 3, wasNoop: true, isCordoned: false });
    expect(manager.node(HOST).cordonedBy).toBeUndefined();
    expect(fleet.host(HOST).boots).toHaveLength(boots);
    expect(simulation().servers.flatMap(({ warnings }) => warnings)).not.toContain('step failed unexpectedly');
  });
});
