// The content of every JSON column, key by key. A change here changes the store: existing stores need a migration.

import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PENDING } from '../../test/harness/rollout/snapshot-fixtures.ts';
import { newOperation } from '../../test/harness/stores/operation-fixtures.ts';
import type { TestDatabase } from '../../test/harness/stores/stores.ts';
import { createTestDatabase, openTestDatabase } from '../../test/harness/stores/stores.ts';
import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import type { Address } from '../domain/addresses/address.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import { newHost } from '../domain/hosts/host.ts';
import { DEFAULT_NETWORK, toRecordName } from '../domain/record-name.ts';
import type { Policy, PolicyInput } from '../domain/rollout/policy.ts';
import type { Sealed } from '../domain/secret.ts';
import type { Task, TaskState } from '../domain/tasks/task.ts';
import { initialProgress } from '../domain/webhooks/webhook.ts';
import type { Repositories } from './repositories/index.ts';

const HOST = '127.0.0.1' as Address;
const AT = '2030-01-01T00:00:00.000000';
const CLUSTER = toRecordName('web');

const DRIVER_RECORD = {
  name: toRecordName('kube'),
  type: 'kubernetes',
  options: { server_url: 'https://127.0.0.1' },
  sealedOptions: { token: 'sealed' as Sealed },
  revision: 'r',
};
const STORED_DRIVER_RECORD = {
  name: 'kube',
  type: 'kubernetes',
  options: { server_url: 'https://127.0.0.1' },
  sealed_options: { token: 'sealed' },
  revision: 'r',
};

const POLICY: Policy = {
  ...{ maxUnavailable: '25%', canary: 1, ramp: true, unhealthy: 'exclude', maxExcluded: 2, wait: true },
  ...{ maxFailures: 3, onFailure: 'pause', hosts: [HOST], labels: ['ring=first'], order: [HOST] },
  ...{ stageParallel: 5, drain: { timeoutS: 60, onTimeout: 'force' }, reboot: 'always', check: ['true'] },
  timeouts: { stageS: 1, applyS: 2, rebootS: 3, readyS: 4 },
  minHealthyS: 5,
  window: { days: ['sat'], start: '01:00', end: '05:00', zone: 'UTC' },
};
const STORED_HOST_POLICY = {
  drain: { timeout_s: 60, on_timeout: 'force' },
  reboot: 'always',
  check: ['true'],
  timeouts: { stage: 1, apply: 2, reboot: 3, ready: 4 },
  min_healthy_s: 5,
};
const STORED_POLICY = {
  ...{ max_unavailable: '25%', canary: 1, ramp: true, unhealthy: 'exclude', max_excluded: 2, wait: true },
  ...{ max_failures: 3, on_failure: 'pause', hosts: [HOST], labels: ['ring=first'], order: [HOST] },
  stage_parallel: 5,
  ...STORED_HOST_POLICY,
  window: { days: ['sat'], start: '01:00', end: '05:00', zone: 'UTC' },
};
const POLICY_INPUT: PolicyInput = { drain: { timeoutS: 60 }, window: null, ramp: undefined, isDryRun: false };
const STORED_POLICY_INPUT = { drain: { timeout_s: 60 }, window: null, dry_run: false };

const ON_HOST = { host: HOST, enrolment: 'e' };
const OPERATION_FIELDS = {
  ...({ operation: 'op', operationKind: 'deploy', cluster: CLUSTER, attempt: 2, version: '44' } as const),
  policy: {
    drain: POLICY.drain,
    reboot: POLICY.reboot,
    check: POLICY.check,
    timeouts: POLICY.timeouts,
    minHealthyS: POLICY.minHealthyS,
  },
};
const STORED_OPERATION_FIELDS = {
  ...{ operation: 'op', operation_kind: 'deploy', cluster: 'web', attempt: 2, version: '44' },
  policy: STORED_HOST_POLICY,
};
const TASKS: readonly (readonly [Task, object])[] = [
  [{ kind: 'bootstrap', ...ON_HOST, trace: '00-trace' }, { trace: '00-trace' }],
  [{ kind: 'join', ...ON_HOST, cluster: CLUSTER }, { cluster: 'web' }],
  [
    {
      ...{ kind: 'leave', ...ON_HOST, cluster: CLUSTER },
      ...{ network: DRIVER_RECORD, containerManager: DRIVER_RECORD, mayBeNode: true },
    },
    {
      cluster: 'web',
      network: STORED_DRIVER_RECORD,
      container_manager: STORED_DRIVER_RECORD,
      may_be_node: true,
    },
  ],
  [{ kind: 'stage', ...ON_HOST, ...OPERATION_FIELDS }, STORED_OPERATION_FIELDS],
  [
    { kind: 'rollout', ...ON_HOST, ...OPERATION_FIELDS, stageResult: { verify_only: true } },
    { ...STORED_OPERATION_FIELDS, stage_result: { verify_only: true } },
  ],
];

const STATE: TaskState = {
  ...{ done: { cordon: { is_cordoned: true } }, step: 'verify', attempts: 2, jobRound: 1, retryTimeMs: 5000 },
  ...{ problem: 'why', suppressedAttempts: 3, stepState: { boots: 1 } },
  rollback: { fromStep: 'apply', reason: { kind: 'failed', holdsSlot: true }, problem: 'why' },
};
const STORED_STATE = {
  ...{ done: { cordon: { is_cordoned: true } }, step: 'verify', attempts: 2, job_round: 1 },
  ...{ retry_time_ms: 5000, problem: 'why', suppressed_attempts: 3, step_state: { boots: 1 } },
  rollback: { from_step: 'apply', reason: { kind: 'failed', holds_slot: true }, problem: 'why' },
};

async function writeCluster({ clusters, driverRecords }: Repositories): Promise<void> {
  await driverRecords.insertOrLock('container_manager', DRIVER_RECORD);
  const cluster = { name: CLUSTER, network: DEFAULT_NETWORK, containerManager: null, revision: 'r' };
  await clusters.insertOrLock(cluster);
}

async function writeTasks({ tasks }: Repositories): Promise<void> {
  await tasks.insert(
    TASKS.map(([task]) => task),
    0,
  );
  const [first, second] = await tasks.listSaved(HOST);
  if (first) await tasks.saveState(first.id, STATE, 0);
  const rollback = { fromStep: 'apply', reason: 'cancelled', problem: '' } as const;
  if (second) await tasks.saveState(second.id, { ...STATE, rollback }, 0);
}

async function writeOperation({ operations, operationHosts, clusterPolicies }: Repositories): Promise<void> {
  const operation = newOperation('op', CLUSTER, { policy: POLICY });
  await operations.insert(operation, { policyInput: POLICY_INPUT }, 0);
  await operations.updateStatus({ ...operation, ignoredHosts: [HOST] }, 0);
  await clusterPolicies.set(CLUSTER, POLICY_INPUT);
  await operationHosts.insert('op', [{ host: HOST, enrolment: 'e', position: 0 }]);
  await operationHosts.update('op', {
    ...{ ...PENDING, host: HOST, stageResult: { verify_only: true } },
    phases: [{ phase: 'staging', attempt: 1, at: AT }],
  });
}

async function writeHost({ hosts, hostAccess }: Repositories): Promise<void> {
  const facts = { os: 'fedora', cpus: 2, memoryKib: 3, spaceKib: 4, hostname: 'a' };
  const sourceFacts = { ...facts, conditions: { Ready: 'True' } };
  await hosts.insertOrLock({ ...newHost(HOST, { enrolment: 'e', source: 's' }), ...facts, sourceFacts });
  await hostAccess.insert(HOST, {
    ...{ remoteUser: 'root', sshPort: 22, sshPrivKey: null, hostKeys: ['ssh-ed25519 key'] },
    ...{ transport: '', pendingHostKey: null, enrolledByToken: null },
  });
}

async function writeEvents({ eventLog, outbox, webhooks }: Repositories): Promise<void> {
  const data = { kind: 'restart', state: 'paused', paused_by: 'manual' } as const;
  await outbox.add([toOutboxEntry({ type: 'operation.state', subject: 'op', data }, LOCAL_ACTOR, AT)]);
  const state = await eventLog.acquire();
  if (state) {
    const entry = toOutboxEntry({ type: 'data_key.rotated', subject: '' }, LOCAL_ACTOR, AT);
    await eventLog.append([{ ...entry, id: 1, hash: 'h' }], { ...state, lastId: 1 });
    await eventLog.prune({ ...state, lastId: 1, prunePoint: { firstId: 1, hash: 'h', at: AT, mac: 'm' } });
  }
  await webhooks.insertOrLock({
    ...{ name: toRecordName('chat'), events: ['*'], revision: 'r', createdAt: AT },
    ...{ sealedUrl: 'u' as Sealed, sealedSecret: 's' as Sealed },
    ...{ progress: initialProgress(0), claimedUntilMs: 0, fence: 0 },
  });
}

const FACTS = { os: 'fedora', cpus: 2, memory_kib: 3, space_kib: 4, hostname: 'a' };

/** Every JSON column, with the values of its rows in order. */
const COLUMNS: Readonly<Record<string, readonly unknown[]>> = {
  'cluster_policies.policy_input_json': [STORED_POLICY_INPUT],
  'driver_records.options_json': [DRIVER_RECORD.options],
  'driver_records.sealed_options_json': [DRIVER_RECORD.sealedOptions],
  'host_access.host_keys_json': [['ssh-ed25519 key']],
  'hosts.entry_json': [
    { address: HOST, status: 'investigating', os: 'fedora', cpus: 2, memory: 3, space: 4, last_check: '' },
  ],
  'hosts.host_facts_json': [FACTS],
  'hosts.source_facts_json': [{ ...FACTS, conditions: { Ready: 'True' } }],
  'log.data_json': [{}],
  'log_state.prune_point_json': [{ first_id: 1, hash: 'h', at: AT, mac: 'm' }],
  'operation_hosts.phases_json': [[{ phase: 'staging', attempt: 1, at: AT }]],
  'operation_hosts.stage_result_json': [{ verify_only: true }],
  'operations.ignored_hosts_json': [[HOST]],
  'operations.policy_input_json': [STORED_POLICY_INPUT],
  'operations.policy_json': [STORED_POLICY],
  'outbox.data_json': [{ kind: 'restart', state: 'paused', paused_by: 'manual' }],
  'tasks.details_json': TASKS.map(([, stored]) => stored),
  'tasks.state_json': [
    STORED_STATE,
    { ...STORED_STATE, rollback: { from_step: 'apply', reason: 'cancelled', problem: '' } },
    ...TASKS.slice(2).map(() => ({})),
  ],
  'webhooks.events_json': [['*']],
};

describe('JSON columns', () => {
  let testDatabase: TestDatabase;
  let database: Database.Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase('sqlite');
    const store = await openTestDatabase(testDatabase);
    for (const write of [writeCluster, writeHost, writeTasks, writeOperation, writeEvents])
      await store.transaction(write);
    await store.close();
    database = new Database(path.join(testDatabase.folder, 'hostler.sqlite'), { readonly: true });
  });
  afterAll(async () => {
    database.close();
    await testDatabase.remove();
  });

  test('are all listed in COLUMNS', () => {
    const columns = database
      .prepare<[], { readonly name: string }>(
        `select tables.name || '.' || columns.name as name
         from sqlite_master as tables, pragma_table_xinfo(tables.name) as columns
         where tables.type = 'table' and columns.name like '%\\_json' escape '\\' order by 1`,
      )
      .all();
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(COLUMNS));
  });

  test.each(Object.entries(COLUMNS))('%s stores exactly the listed values', (name, stored) => {
    const [table, column] = name.split('.');
    const rows = database.prepare<[], string>(`select ${column} from ${table} order by rowid`).pluck().all();
    expect(rows.map(row => JSON.parse(row))).toEqual(stored);
  });

  test('are read as they were written', async () => {
    const store = await openTestDatabase(testDatabase);
    await store.transaction(async ({ operations, tasks, clusterPolicies, eventLog }) => {
      expect(await tasks.list(HOST)).toEqual(TASKS.map(([task]) => task));
      expect((await tasks.listSaved(HOST))[0]?.state).toEqual(STATE);
      const { ramp: _, ...input } = POLICY_INPUT;
      expect(await operations.getOpen(CLUSTER)).toMatchObject({
        policy: POLICY,
        policyInput: input,
      });
      expect(await clusterPolicies.get(CLUSTER)).toEqual(input);
      expect((await eventLog.getState()).prunePoint).toEqual({ firstId: 1, hash: 'h', at: AT, mac: 'm' });
    });
    await store.close();
  });
});
