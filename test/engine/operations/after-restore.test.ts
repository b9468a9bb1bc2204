// Operations in a store that was restored from a backup. The test simulates actions after the backup: it
// reboots hosts without a record in the store.

import { expect, test } from 'vitest';
import { cancelOperation, resumeOperation } from '../../../src/app/operations/control-operation.ts';
import { retryHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { prepareRestoredStore } from '../../../src/app/prepare-restored-store.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { Task } from '../../../src/domain/tasks/task.ts';
import { utcTime } from '../../../src/domain/timestamp.ts';
import { listOutboxEntries } from '../../harness/events/outbox-entries.ts';
import { describeSimulation, EACH_TEST } from '../../harness/simulation/simulate.ts';
import type { Simulation } from '../../harness/simulation/simulation.ts';
import { MINUTE } from '../../harness/simulation/simulation-options.ts';
import { createSimulatedCluster } from './simulated-cluster.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];

async function sanitize({ ports }: Simulation) {
  const result = await prepareRestoredStore(ports, { checkWithinMs: MINUTE });
  if (result instanceof AppError) throw new Error(result.detail);
  return result;
}

describeSimulation('an operation in a restored store', EACH_TEST, simulation => {
  const boots = (host: Address) => simulation().fleet.host(host).boots.length;

  async function killServers() {
    for (const { control } of simulation().servers) control.inject('kill_server');
    // Wait until the leases expire.
    await simulation().clock.advance(16_000);
  }

  /** Reboots a host outside the operation. */
  async function reboot(host: Address) {
    simulation().fleet.host(host).powerOff();
    simulation().fleet.host(host).powerOn();
    await simulation().clock.advance(2 * MINUTE);
  }

  test('reboots no host that may have rebooted since the backup until an administrator resumes the operation', async () => {
    const { ports, manager, clock } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B]);
    manager.node(A).pods.add({ name: 'slow', goneAfterMs: MINUTE });
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'draining');
    await killServers();
    await reboot(A);
    const before = [boots(A), boots(B)];

    const { backupAt, operations } = await sanitize(simulation());
    expect(operations).toEqual([{ id, kind: 'restart', cluster: 'c', failedHosts: [A] }]);
    await simulation().startServer();
    await clock.advance(5 * MINUTE);
    expect([boots(A), boots(B)]).toEqual(before);
    expect(await cluster.phases(id)).toBe('failed pending');
    expect(await cluster.operation(id)).toMatchObject({ state: 'paused', pause: 'restored' });
    expect((await cluster.operation(id))?.problem).toContain(
      `actions after the backup of ${utcTime(backupAt)} are unknown`,
    );
    expect(await cluster.planned(id, A)).toMatchObject({ isCordoned: true, holdsSlot: true });
    // Health checks run again and detect the new boot.
    expect((await simulation().host(A))?.bootId).toBe(simulation().fleet.host(A).boots.at(-1)?.bootId);

    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined });
    await clock.advance(5 * MINUTE);
    expect([boots(A), boots(B)]).toEqual(before);
    expect(await resumeOperation(ports, LOCAL_ACTOR, id)).toMatchObject({ state: 'planned' });
    await cluster.untilEnded(id);
    expect(await cluster.phases(id)).toBe('done done');
    expect([boots(A), boots(B)]).toEqual(before.map(count => count + 1));
    expect(manager.node(A).cordonedBy).toBeUndefined();
  });

  test('verifies a host whose reboot was sent, and stays paused when all hosts are done', async () => {
    const { ports, manager, clock } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A], { bootMs: MINUTE });
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'rebooting');
    await killServers();
    const { operations } = await sanitize(simulation());
    expect(operations).toMatchObject([{ id, failedHosts: [] }]);
    await simulation().startServer();
    await clock.advance(5 * MINUTE);
    expect(await cluster.phases(id)).toBe('done');
    expect(boots(A)).toBe(2);
    expect(manager.node(A).cordonedBy).toBeUndefined();
    expect(await cluster.operation(id)).toMatchObject({ state: 'paused', pause: 'restored' });
    await resumeOperation(ports, LOCAL_ACTOR, id);
    await cluster.untilEnded(id);
    expect(await cluster.operation(id)).toMatchObject({ state: 'finished' });
  });

  test('ends with the reason of the restore when it was being cancelled', async () => {
    const { ports, manager } = simulation();
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), [A, B]);
    manager.node(A).pods.add({ name: 'slow', goneAfterMs: MINUTE });
    const id = await cluster.start('restart');
    await cluster.untilPhase(id, A, 'draining');
    await killServers();
    await cancelOperation(ports, LOCAL_ACTOR, id);
    await sanitize(simulation());
    await simulation().startServer();
    await cluster.untilEnded(id);
    expect(await cluster.operation(id)).toMatchObject({
      state: 'cancelled',
      problem: expect.stringMatching(/^restored: /),
    });
    expect(await cluster.phases(id)).toBe('failed skipped');
    expect(boots(A)).toBe(1);
  });
});

describeSimulation('a restored store', { per: 'test' }, simulation => {
  test('is sanitized repeatably: claims, sessions and leave tasks are dropped, and all hosts are checked', async () => {
    const { store, clock, ports } = simulation();
    const server = await simulation().startServer({ isShared: true });
    const cluster = await createSimulatedCluster(simulation(), [A, B], { hasManager: false });
    if (store.isShared)
      expect(await prepareRestoredStore(ports, { checkWithinMs: MINUTE })).toMatchObject({
        code: 'invalid_state',
      });
    server.control.inject('kill_server');
    await clock.advance(16_000);
    const leave: Task = {
      ...{ kind: 'leave', host: B, enrolment: 'e', cluster: toRecordName('c') },
      ...{ network: null, containerManager: null, mayBeNode: false },
    };
    await store.transaction(records => records.tasks.insert([leave], 0));
    const session = {
      ...{ id: 's', secretDigest: 'd', account: toRecordName('ann'), accountRevision: 'r' },
      ...{ createdAt: '', confirmedAt: null, expiresAt: '9' },
    };
    await store.transaction(records => records.loginSessions.insert(session));
    const id = await cluster.start('restart');
    const { backupAt, ...first } = await sanitize(simulation());
    expect(first).toMatchObject({ operations: [{ id, failedHosts: [] }], droppedLeaveTasks: [B] });
    await clock.advance(MINUTE);
    expect(await sanitize(simulation())).toMatchObject({ backupAt, droppedLeaveTasks: [] });

    const items = await listOutboxEntries(store, { type: 'service.restored' });
    expect(items.map(({ data }) => data)).toEqual([
      { backup_at: backupAt, cleanup_skipped: [B] },
      { backup_at: backupAt },
    ]);
    expect(await store.reads.loginSessions.listByAccount(session.account)).toEqual([]);
    expect(await store.reads.tasks.list(B)).toEqual([]);
    expect(await store.reads.servers.listBootIds()).toEqual([]);
    const countFactQueries = () =>
      [A, B].map(
        host =>
          simulation()
            .commandsRunOn(host)
            .filter(command => command === 'facts').length,
      );
    const before = countFactQueries();
    await simulation().startServer();
    await clock.advance(MINUTE);
    expect(countFactQueries()).toEqual(before.map(count => count + 1));
  });
});
