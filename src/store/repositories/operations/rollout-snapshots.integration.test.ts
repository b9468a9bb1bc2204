// Compares the snapshot from selective queries with the one computed from all rows.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  countSequentialScans,
  explainStatements,
  recordStatements,
} from '../../../../test/harness/stores/database-inspection.ts';
import { insertHosts } from '../../../../test/harness/stores/insert-rows.ts';
import { newOperation, OPERATION_REQUEST } from '../../../../test/harness/stores/operation-fixtures.ts';
import type { HostCase, StoredCase } from '../../../../test/harness/stores/rollout-snapshot-fixtures.ts';
import {
  expectedSnapshot,
  SNAPSHOT_CONTEXT,
  toStoredCase,
} from '../../../../test/harness/stores/rollout-snapshot-fixtures.ts';
import type { StoreKind } from '../../../../test/harness/stores/stores.ts';
import { describeStore, runSql } from '../../../../test/harness/stores/stores.ts';
import { IS_LONG_RUN } from '../../../../test/harness/vitest/long-run.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { toRecordName } from '../../../domain/record-name.ts';
import { currentBudget } from '../../../domain/rollout/budget.ts';
import { decideRollout } from '../../../domain/rollout/decide.ts';
import type { RolloutDecision } from '../../../domain/rollout/decision.ts';
import type { ClusterOperation } from '../../../domain/rollout/operation.ts';
import type { Outage } from '../../../domain/rollout/outage.ts';
import type { RolloutSnapshot } from '../../../domain/rollout/snapshot.ts';
import type { HostStatus } from '../../../domain/vocabulary.ts';
import { HOST_PHASES } from '../../../domain/vocabulary.ts';
import type { Store } from '../../store.ts';

const mostly = <T>(usual: T, ...others: readonly T[]) => fc.constantFrom(usual, usual, usual, ...others);

const rows: fc.Arbitrary<HostCase> = fc.record({
  status: mostly<HostStatus>('active', 'unreachable', 'failed', 'disassociated', 'investigating', 'bootstrapping'),
  isInMaintenance: mostly(false, true),
  phase: fc.oneof(
    fc.constantFrom(null, 'pending', 'pending', 'pending', 'staging', 'failed'),
    fc.constantFrom(...HOST_PHASES),
  ),
  flag: fc.boolean(),
  isControlPlane: mostly(false, true),
  membership: mostly<HostCase['membership']>('member', 'left', 'replaced'),
  isIgnored: mostly(false, true),
  awaitsBootstrap: mostly(false, true),
  contact: mostly<HostCase['contact']>(
    { result: 'responded', agoMs: 5000 },
    { result: 'responded', agoMs: 20_000 },
    { result: 'failed', agoMs: 5000 },
  ),
  awaitsRebootClearance: mostly(false, true),
  isCleared: mostly(false, true),
});

const cases = fc.record({
  rows: fc.array(rows, { maxLength: 30 }),
  policy: fc.record({
    maxUnavailable: fc.constantFrom(1, 3, '25%' as const),
    canary: fc.constantFrom(0, 0, 2),
    ramp: fc.boolean(),
    maxFailures: fc.constantFrom(0, 99, 99),
    stageParallel: fc.integer({ min: 1, max: 5 }),
  }),
  assessment: fc.constantFrom('initial', 'done', 'done'),
});

const FRESH = {
  contact: { result: 'responded', agoMs: 5000 },
  ...{ awaitsRebootClearance: false, isCleared: false },
} as const;

const addressOf = (index: number) => `127.200.${Math.floor(index / 250)}.${index % 250}` as Address;

/** A thousand hosts, half of them done. */
function largeCase(number: number): StoredCase {
  const hostCases = Array.from(
    { length: 1000 },
    (_, index): HostCase => ({
      ...{ status: index % 100 === 7 ? 'unreachable' : 'active', isInMaintenance: index === 11 },
      ...{ phase: index < 500 ? 'done' : index < 503 ? 'verifying' : 'pending', flag: false },
      ...{ isControlPlane: index > 996, membership: 'member', isIgnored: false, awaitsBootstrap: false },
      ...FRESH,
    }),
  );
  const { hosts, plan, ...rest } = toStoredCase(hostCases, number);
  return {
    ...rest,
    hosts: hosts.map((host, index) => ({ ...host, address: addressOf(index) })),
    plan: plan.map((planned, index) => ({ ...planned, host: addressOf(index) })),
  };
}

/** Fewer cases on PostgreSQL, where a case takes ten times as long as on SQLite. */
const sampleCount = (kind: StoreKind) => (kind === 'sqlite' || IS_LONG_RUN ? 150 : 50);

/** SQLite scans the operations instead if there are few. */
const ENDED_OPERATIONS = Array.from({ length: 600 }, (_, index) => `old-${index}`);

/** Hosts of the ended operations. */
const HISTORY = `with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 29999)
  insert into operation_hosts (operation, host, enrolment, position, phase)
  select 'old-' || n / 50, 'host-' || n, 'e', n % 50, case when n % 50 = 0 then 'failed' else 'done' end from numbers`;

const sorted = (outages: readonly Outage[]) => outages.toSorted((one, other) => (one.host < other.host ? -1 : 1));

/** Ignores the order and the fields that may be limited. */
const comparable = ({
  outages,
  ineligible,
  pending: _1,
  verifiedCount: _2,
  memberCount: _3,
  ...rest
}: RolloutSnapshot) => ({
  ...rest,
  unregistered: rest.unregistered.toSorted(),
  brokenControlPlane: rest.brokenControlPlane.toSorted(),
  outages: sorted(outages),
  unchecked: rest.unchecked.length,
  ineligible: ineligible.toSorted(),
});

const comparableDecision = ({ blockedBy, exclude, status: { state, pause }, ...rest }: RolloutDecision) => ({
  ...rest,
  ...{ state, pause },
  blockedBy: sorted(blockedBy),
  exclude: sorted(exclude),
});

async function save(
  store: Store,
  operation: ClusterOperation,
  { hosts, plan, bootstraps, contacts, cluster: name }: StoredCase,
) {
  await store.transaction(
    async ({ clusters, hosts: hostRecords, operations, operationHosts, tasks: taskRecords, claims }) => {
      const network = toRecordName('default');
      await clusters.insertOrLock({ name, network, containerManager: null, revision: 'r' });
      for (const host of hosts) await hostRecords.insertOrLock(host);
      await taskRecords.scheduleHosts(
        hosts.map(({ address }) => address),
        0,
      );
      for (const { address } of hosts) {
        const { result, agoMs } = contacts.get(address) ?? FRESH.contact;
        await claims.recordContact(address, result, SNAPSHOT_CONTEXT.nowMs - agoMs);
      }
      await operations.insert(operation, OPERATION_REQUEST, 0);
      await operationHosts.insert(operation.id, plan);
      await operationHosts.updateAll(operation.id, plan);
      const tasks = bootstraps.map(host => ({ kind: 'bootstrap', host, enrolment: 'e' }) as const);
      await taskRecords.insert(tasks, 0);
    },
  );
}

describeStore('the rollout snapshot', { per: 'test' }, ({ kind, store, database, reopen }) => {
  let statements: Set<string>;
  beforeAll(async () => {
    statements = recordStatements();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
  });

  const read = (operation: ClusterOperation) =>
    store().transaction(({ rolloutSnapshots }) => rolloutSnapshots.read(operation, SNAPSHOT_CONTEXT));

  test('equals the snapshot computed from all rows, and leads to the same decision', async () => {
    let number = 0;
    const property = fc.asyncProperty(cases, async ({ rows: all, policy, assessment }) => {
      number += 1;
      const hostCase = toStoredCase(all, number);
      const { cluster, plan, ignored: ignoredHosts } = hostCase;
      const overrides = { policy, hostCount: plan.length, ignoredHosts, state: 'running', assessment } as const;
      const operation = newOperation(`operation-${number}`, cluster, overrides);
      await save(store(), operation, hostCase);
      const [actual, expected] = [await read(operation), expectedSnapshot(operation, hostCase)];
      expect(comparable(actual)).toEqual(comparable(expected));
      const listed = new Set(actual.pending.map(({ host }) => host));
      expect(actual.pending).toEqual(expected.pending.filter(({ host }) => listed.has(host)));
      if (policy.canary > 0 || policy.ramp) expect(actual.verifiedCount).toBe(expected.verifiedCount);
      if (typeof policy.maxUnavailable === 'string') expect(actual.memberCount).toBe(expected.memberCount);
      expect(comparableDecision(decideRollout(actual))).toEqual(comparableDecision(decideRollout(expected)));
      expect(decideRollout(actual).status.state).toBe(decideRollout(expected).status.state);
      expect(await store().reads.rolloutSnapshots.getBudget(operation, SNAPSHOT_CONTEXT.nowMs)).toMatchObject({
        budget: currentBudget(expected),
      });
    });
    await fc.assert(property, { numRuns: sampleCount(kind) });
  });

  test('distinguishes a host from another one enrolled later at its address', async () => {
    const row = { status: 'active', isInMaintenance: true, phase: 'pending', flag: false } as const;
    const rest = {
      isControlPlane: false,
      membership: 'member',
      isIgnored: false,
      awaitsBootstrap: false,
      ...FRESH,
    } as const;
    const before = toStoredCase([{ ...row, ...rest }], 201);
    const hosts = before.hosts.map(host => ({ ...host, enrolment: 'another' }));
    const operation = newOperation('before', before.cluster, { hostCount: 1 });
    await save(store(), operation, { ...before, hosts });
    const { ineligible, outages } = await read(operation);
    expect([ineligible, outages]).toMatchObject([[], [{ host: '127.201.0.1', reason: 'maintenance' }]]);
  });

  test('has no outages for an ended operation, regardless of its cluster', async () => {
    const row = { status: 'unreachable', isInMaintenance: false, flag: true, isControlPlane: false } as const;
    const rest = { membership: 'member', isIgnored: false, awaitsBootstrap: false, ...FRESH } as const;
    const hosts = toStoredCase(
      [
        { ...row, ...rest, phase: 'failed' },
        { ...row, ...rest, phase: 'done' },
      ],
      202,
    );
    const policy = { maxUnavailable: '50%', maxFailures: 3 } as const;
    const overrides = { hostCount: 8, policy, state: 'failed', isClusterRemoved: true } as const;
    const operation = newOperation('over', hosts.cluster, overrides);
    await save(store(), operation, hosts);
    expect(await store().reads.rolloutSnapshots.getBudget(operation, SNAPSHOT_CONTEXT.nowMs)).toEqual({
      budget: { maxUnavailable: 4, unavailable: 0, maxFailures: 3, failed: 1 },
      outages: [],
    });
  });

  test('uses indexes and has a bounded size for a thousand hosts', async () => {
    const large = largeCase(200);
    const policy = { stageParallel: 4, ramp: true };
    const operation = newOperation('large', large.cluster, { hostCount: 1000, policy });
    await save(store(), operation, { ...large, hosts: [] });
    await insertHosts(database(), large.hosts);
    const addresses = large.hosts.map(({ address }) => address);
    await store().transaction(records => records.tasks.scheduleHosts(addresses, 0));
    const respondedAt = SNAPSHOT_CONTEXT.nowMs - FRESH.contact.agoMs;
    await runSql(database(), `update host_queue set responded_at = ${respondedAt} where host like '127.200.%'`);
    await store().transaction(async ({ operations }) => {
      for (const id of ENDED_OPERATIONS)
        await operations.insert(newOperation(id, toRecordName(id), { state: 'finished' }), OPERATION_REQUEST, 0);
    });
    await runSql(database(), "update operations set is_open = 0 where state = 'finished'");
    await runSql(database(), HISTORY);
    await runSql(database(), 'analyze');
    const { pending, memberCount: members } = await read(operation);
    expect(members).toBe(1000);
    expect(pending.filter(({ isDown }) => isDown).map(({ host }) => host)).toEqual(
      [507, 607, 707, 807, 907].map(addressOf),
    );
    expect(pending.length).toBeLessThanOrEqual(5 + 4 + 5);

    await store().close();
    await reopen();
    statements.clear();
    // Half of all hosts are in this cluster, so PostgreSQL may scan `hosts` to count them.
    const scans = async () => (kind === 'postgres' ? countSequentialScans(database(), ['operation_hosts']) : 0);
    const before = await scans();
    for (let count = 0; count < 20; count += 1) {
      await read(operation);
      await store().reads.rolloutSnapshots.getBudget(operation, SNAPSHOT_CONTEXT.nowMs);
      await store().reads.operations.list({ host: addressOf(507) }, { limit: 5 });
    }
    await store().close();
    expect(await scans()).toBe(before);
    await reopen();
    if (kind === 'postgres') return;
    const steps = explainStatements(database(), statements, ['hosts', 'operation_hosts']);
    expect(steps.length).toBeGreaterThanOrEqual(8);
    expect(steps.filter(step => step.startsWith('SCAN'))).toEqual([]);
  });
});
