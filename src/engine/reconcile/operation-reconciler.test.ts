import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listOutboxEntries } from '../../../test/harness/events/outbox-entries.ts';
import { simulate } from '../../../test/harness/simulation/simulate.ts';
import { cancelOperation } from '../../app/operations/control-operation.ts';
import { startOperation } from '../../app/operations/start-operation.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { RolloutSnapshotRepository } from '../../store/repositories/operations/rollout-snapshots.ts';

const [A, B] = ['127.0.0.1', '127.0.0.2'] as [Address, Address];
const HOUR_MS = 3_600_000;

describe('reconcileOperation', () => {
  let sim: Awaited<ReturnType<typeof simulate>>;
  beforeEach(async () => {
    sim = await simulate('sqlite');
    const { simulation } = sim;
    await simulation.startServer();
    await simulation.makeCluster('c', { name: 'm', type: 'simulated' });
    await simulation.enrolHosts([A, B], { os: 'debian' }, { cluster: toRecordName('c') });
    for (const host of [A, B]) await simulation.waitForStatus(host, 'active');
  });
  afterEach(() => sim.end());

  async function restart(input: PolicyInput = {}) {
    const { ports } = sim.simulation;
    const request = {
      cluster: toRecordName('c'),
      kind: 'restart',
      version: '',
      policyInput: input,
      idempotencyKey: null,
    } as const;
    const started = await startOperation(ports, LOCAL_ACTOR, request);
    if (started instanceof AppError) throw new Error(started.detail);
    return started.record.id;
  }
  const operation = async (id: string) => sim.simulation.store.reads.operations.get(id);
  const operationHost = (id: string, host: Address) => sim.simulation.store.reads.operationHosts.get(id, host);
  const until = (condition: () => Promise<boolean>) => sim.simulation.clock.advanceUntil(condition, HOUR_MS);
  const ended = (id: string) => until(async () => ((await operation(id))?.finishedAt ?? null) !== null);
  const eventsOf = async (id: string) => {
    const events = await listOutboxEntries(sim.simulation.store, { subject: id });
    return events.filter(({ host }) => !host).map(({ type, data }) => `${type} ${data['state'] ?? ''}`.trim());
  };

  test('starts no host until the container manager returns its control plane', async () => {
    const { manager, clock } = sim.simulation;
    manager.controlPlane = [A];
    manager.inject('fail_manager', 'controlPlane');
    const id = await restart();
    await clock.advance(4000);
    expect(await operation(id)).toMatchObject({
      state: 'planned',
      problem: 'waiting for the container manager m: connection refused',
    });
    expect((await operationHost(id, B))?.phase).toBe('pending');
    manager.revert('fail_manager');
    await ended(id);
    expect(await operation(id)).toMatchObject({ state: 'finished', problem: '' });
    const [first, last] = [await operationHost(id, B), await operationHost(id, A)];
    expect([first?.isControlPlane, last?.isControlPlane]).toEqual([false, true]);
    const cordonedAt = last?.phases.find(({ phase }) => phase === 'cordoning')?.at ?? '';
    expect(cordonedAt >= (first?.finishedAt ?? 'never')).toBe(true);
    expect(await eventsOf(id)).toEqual(['operation.started', 'operation.state running', 'operation.ended finished']);
  });

  test('timestamps a decision after its snapshot was read, even when reading is slow', async () => {
    const { clock } = sim.simulation;
    const [now, read] = [clock.now.bind(clock), RolloutSnapshotRepository.prototype.read];
    let delayMs = 0;
    vi.spyOn(clock, 'now').mockImplementation(() => now() + delayMs);
    const spy = vi.spyOn(RolloutSnapshotRepository.prototype, 'read').mockImplementation(async function (
      this: RolloutSnapshotRepository,
      ...args
    ) {
      delayMs = 2000;
      return read.apply(this, args);
    });
    const earliest = formatTimestamp(now() + 2000);
    const id = await restart();
    await until(async () => (await operationHost(id, A))?.phase !== 'pending');
    spy.mockRestore();
    expect((await operationHost(id, A))?.phases[0]?.at ?? '').toSatisfy((at: string) => at >= earliest);
  });

  test('emits operation.ended for a cancelled operation after its hosts ended', async () => {
    const { manager, ports } = sim.simulation;
    manager.node(A).pods.add({ name: 'slow', goneAfterMs: HOUR_MS });
    const id = await restart();
    await until(async () => (await operationHost(id, A))?.phase === 'draining');
    await cancelOperation(ports, LOCAL_ACTOR, id);
    await ended(id);
    expect(await operation(id)).toMatchObject({ state: 'cancelled', pause: null });
    expect((await eventsOf(id)).slice(-2)).toEqual(['operation.state cancelling', 'operation.ended cancelled']);
    expect([await operationHost(id, A), await operationHost(id, B)]).toMatchObject([
      { phase: 'skipped', skipReason: 'cancelled', isCordoned: false, problem: '' },
      { phase: 'skipped', skipReason: 'cancelled' },
    ]);
    expect(manager.node(A).cordonedBy).toBeUndefined();
  });

  test('uncordons a host that cannot be drained and fails the operation', async () => {
    const { manager } = sim.simulation;
    manager.node(A).pods.add({ name: 'alone', hasController: false });
    const id = await restart();
    await ended(id);
    expect(await operationHost(id, A)).toMatchObject({
      phase: 'failed',
      problem: 'drain_refused: no controller: alone',
      isCordoned: false,
      holdsSlot: false,
    });
    expect(manager.node(A).cordonedBy).toBeUndefined();
    expect(await operation(id)).toMatchObject({
      state: 'failed',
      problem: 'too_many_failures: 1 failed, at most 0 allowed',
    });
  });

  test('records on the host that its node could not be uncordoned', async () => {
    const { manager } = sim.simulation;
    manager.node(A).pods.add({ name: 'alone', hasController: false });
    manager.inject('fail_manager', 'uncordon');
    const id = await restart();
    await ended(id);
    expect(await operationHost(id, A)).toMatchObject({
      phase: 'failed',
      problem: 'drain_refused: no controller: alone; the node is still cordoned',
      isCordoned: true,
    });
    expect(manager.node(A).cordonedBy).toBe(`hostler/${id}/1`);
  });
});
