import { expect, test } from 'vitest';
import { startOperation } from '../../src/app/operations/start-operation.ts';
import { retryHosts } from '../../src/app/operations/steer-hosts.ts';
import { LOCAL_ACTOR } from '../../src/domain/actor.ts';
import type { Address } from '../../src/domain/address.ts';
import { Refusal } from '../../src/domain/errors.ts';
import { recordNameOf } from '../../src/domain/record-name.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';

const HOST = '127.0.0.1' as Address;

simulateOnEachStore('a host that failed when it was to be proved', { per: 'test' }, simulation => {
  test('is proved when it is tried again, though nothing is left to upgrade, and is uncordoned then', async () => {
    const { ports, clock, manager, fleet, store } = simulation();
    await simulation().startServer();
    await simulation().makeCluster('c', { name: 'm', type: 'simulated' });
    const cluster = recordNameOf('c');
    await simulation().enrolMachines([HOST], { os: 'debian' }, { cluster });
    await simulation().until(HOST, 'active');
    fleet.host(HOST).suffer({ kind: 'exit', exitCode: 1, stderr: 'no service', on: /^true check$/ });
    const wish = { check: ['true', 'check'] as const, timeouts: { readyS: 60 } };
    const request = { cluster, kind: 'upgrade', version: '', wish, idempotencyKey: null } as const;
    const started = await startOperation(ports, LOCAL_ACTOR, request);
    if (started instanceof Refusal) throw new Error(started.detail);
    const { id } = started.record;
    const planned = () => store.reads.operationHosts.get(id, HOST);
    const until = (phase: string) =>
      clock.advanceUntil(async () => (await planned())?.phase === phase, 3_600_000);
    const ended = (state: string) =>
      clock.advanceUntil(async () => (await store.reads.operations.get(id))?.state === state, 3_600_000);

    await until('failed');
    await ended('failed');
    expect((await planned())?.problem).toMatch(/^check_failed: .*; its node is left cordoned$/);
    expect(manager.node(HOST).cordonedBy).toBe(`hostler/${id}/1`);
    const boots = fleet.host(HOST).boots.length;

    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: [HOST] });
    await until('failed');
    await ended('failed');
    expect((await planned())?.problem).toMatch(/^check_failed: /);

    fleet.host(HOST).recover();
    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined });
    await until('done');
    await ended('finished');
    expect(await planned()).toMatchObject({ attempt: 3, isAlreadyThere: true, isCordoned: false });
    expect(manager.node(HOST).cordonedBy).toBeUndefined();
    expect(fleet.host(HOST).boots).toHaveLength(boots);
    expect(simulation().servers.flatMap(({ complaints }) => complaints)).not.toContain('a step broke');
  });
});
