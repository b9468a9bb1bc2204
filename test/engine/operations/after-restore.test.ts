// A store that was brought back from a backup, made safe, and worked on. What servers did after the backup is played by the test: hosts
// are rebooted, and the store knows nothing of it.

import { expect, test } from 'vitest';
import { cancelOperation, resumeOperation } from '../../../src/app/operations/control-operation.ts';
import { retryHosts } from '../../../src/app/operations/retry-and-skip-hosts.ts';
import { sanitizeRestoredStore } from '../../../src/app/sanitize-restored-store.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { Task } from '../../../src/domain/tasks/task.ts';
import { utcTime } from '../../../src/domain/timestamp.ts';
import { toldIn } from '../../harness/events/told.ts';
import { EACH_TEST, simulateOnEachStore } from '../../harness/simulation/on-each-store.ts';
import type { Simulation } from '../../harness/simulation/simulation.ts';
import { MINUTE } from '../../harness/simulation/world-options.ts';
import { operatedCluster } from './operated-cluster.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];

async function restored({ ports }: Simulation) {
  const made = await sanitizeRestoredStore(ports, { checkWithinMs: MINUTE });
  if (made instanceof AppError) throw new Error(made.detail);
  return made;
}

simulateOnEachStore('an operation that comes from a backup', EACH_TEST, simulation => {
  const boots = (host: Address) => simulation().fleet.host(host).boots.length;

  /** The service ends, and what it would have known next is lost. */
  async function loseServers() {
    for (const { control } of simulation().servers) control.kill();
    // Until their leases are over.
    await simulation().clock.advance(16_000);
  }

  /** Somebody else reboots a host. */
  async function reboot(host: Address) {
    simulation().fleet.host(host).powerOff();
    simulation().fleet.host(host).powerOn();
    await simulation().clock.advance(2 * MINUTE);
  }

  test('reboots no host by itself that may have been rebooted since, and goes on when a person says so', async () => {
    const { ports, manager, clock } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B]);
    manager.node(A).pods.add({ name: 'slow', goneAfterMs: MINUTE });
    const id = await cluster.start('restart');
    await cluster.inPhase(id, A, 'draining');
    await loseServers();
    await reboot(A);
    const before = [boots(A), boots(B)];

    const { backupAt, operations } = await restored(simulation());
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
    // Watched again, and seen to be in another boot.
    expect((await simulation().host(A))?.bootId).toBe(simulation().fleet.host(A).boots.at(-1)?.bootId);

    await retryHosts(ports, LOCAL_ACTOR, { id, hosts: undefined });
    await clock.advance(5 * MINUTE);
    expect([boots(A), boots(B)]).toEqual(before);
    expect(await resumeOperation(ports, LOCAL_ACTOR, id)).toMatchObject({ state: 'planned' });
    await cluster.ended(id);
    expect(await cluster.phases(id)).toBe('done done');
    expect([boots(A), boots(B)]).toEqual(before.map(count => count + 1));
    expect(manager.node(A).cordonedBy).toBeUndefined();
  });

  test('looks after a host whose reboot was sent, and stays paused also when nothing is left', async () => {
    const { ports, manager, clock } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A], { bootMs: MINUTE });
    const id = await cluster.start('restart');
    await cluster.inPhase(id, A, 'rebooting');
    await loseServers();
    const { operations } = await restored(simulation());
    expect(operations).toMatchObject([{ id, failedHosts: [] }]);
    await simulation().startServer();
    await clock.advance(5 * MINUTE);
    expect(await cluster.phases(id)).toBe('done');
    expect(boots(A)).toBe(2);
    expect(manager.node(A).cordonedBy).toBeUndefined();
    expect(await cluster.operation(id)).toMatchObject({ state: 'paused', pause: 'restored' });
    await resumeOperation(ports, LOCAL_ACTOR, id);
    await cluster.ended(id);
    expect(await cluster.operation(id)).toMatchObject({ state: 'finished' });
  });

  test('that was being cancelled ends, and says why nothing was put in order', async () => {
    const { ports, manager } = simulation();
    await simulation().startServer();
    const cluster = await operatedCluster(simulation(), [A, B]);
    manager.node(A).pods.add({ name: 'slow', goneAfterMs: MINUTE });
    const id = await cluster.start('restart');
    await cluster.inPhase(id, A, 'draining');
    await loseServers();
    await cancelOperation(ports, LOCAL_ACTOR, id);
    await restored(simulation());
    await simulation().startServer();
    await cluster.ended(id);
    expect(await cluster.operation(id)).toMatchObject({
      state: 'cancelled',
      problem: expect.stringMatching(/^restored: /),
    });
    expect(await cluster.phases(id)).toBe('failed skipped');
    expect(boots(A)).toBe(1);
  });
});

simulateOnEachStore('a store that comes from a backup', { per: 'test' }, simulation => {
  test('is made safe once and again: nobody has a host or is signed in, all are checked, none is taken out of anything', async () => {
    const { store, clock, ports } = simulation();
    const server = await simulation().startServer({ isShared: true });
    const cluster = await operatedCluster(simulation(), [A, B], { hasManager: false });
    if (store.isShared)
      expect(await sanitizeRestoredStore(ports, { checkWithinMs: MINUTE })).toMatchObject({
        code: 'invalid_state',
      });
    server.control.kill();
    await clock.advance(16_000);
    const leave: Task = {
      ...{ kind: 'leave', host: B, enrolment: 'e', cluster: toRecordName('c') },
      ...{ network: null, containerManager: null, mayBeNode: false },
    };
    await store.transaction(records => records.tasks.insert([leave]));
    const session = {
      ...{ id: 's', secretDigest: 'd', account: toRecordName('ann'), accountRevision: 'r' },
      ...{ createdAt: '', confirmedAt: null, expiresAt: '9' },
    };
    await store.transaction(records => records.loginSessions.insert(session));
    const id = await cluster.start('restart');
    const { backupAt, ...first } = await restored(simulation());
    expect(first).toMatchObject({ operations: [{ id, failedHosts: [] }], droppedLeaveTasks: [B] });
    await clock.advance(MINUTE);
    expect(await restored(simulation())).toMatchObject({ backupAt, droppedLeaveTasks: [] });

    const items = await toldIn(store, { type: 'service.restored' });
    expect(items.map(({ data }) => data)).toEqual([
      { backup_at: backupAt, cleanup_skipped: [B] },
      { backup_at: backupAt },
    ]);
    expect(await store.reads.loginSessions.listByAccount(session.account)).toEqual([]);
    expect(await store.reads.tasks.list(B)).toEqual([]);
    expect(await store.reads.servers.listBootIds()).toEqual([]);
    const asked = () =>
      [A, B].map(
        host =>
          simulation()
            .commandsOn(host)
            .filter(command => command === 'facts').length,
      );
    const before = asked();
    await simulation().startServer();
    await clock.advance(MINUTE);
    expect(asked()).toEqual(before.map(count => count + 1));
  });
});
