import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOST, NEXT_BOOT, rolloutTask, stageTask } from '../../test/harness/rollout/step-fixtures.ts';
import type { TestDatabase } from '../../test/harness/stores/stores.ts';
import { createTestDatabase, openTestDatabase } from '../../test/harness/stores/stores.ts';
import type { DomainEvent } from '../domain/events/domain-event.ts';
import type { OperationHost } from '../domain/rollout/operation-host.ts';
import type { OperationTask, Rollback, Task, TaskState } from '../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../domain/tasks/task.ts';
import { createProcedures } from '../procedures/index.ts';
import type { Store } from '../store/store.ts';
import type { HostTransaction } from './host-transaction.ts';
import {
  recordHostRemoved,
  recordRolledBack,
  recordStepDelayed,
  recordStepStarted,
  recordTaskFinished,
} from './host-transaction.ts';

const procedures = createProcedures({ contactTimeoutMs: 1, retryTimeoutMs: 1 });
const [STAGE, ROLLOUT] = [stageTask('upgrade'), rolloutTask('upgrade')];
const BOOTSTRAP: Task = { kind: 'bootstrap', host: HOST, enrolment: 'e' };
const stateAfter = (...steps: readonly string[]): TaskState => ({
  ...INITIAL_TASK_STATE,
  done: Object.fromEntries(steps.map(step => [step, {}])),
});

describe('operation progress', () => {
  let database: TestDatabase;
  let store: Store;
  let events: DomainEvent[];
  let reconciles: string[];
  beforeEach(async () => {
    database = await createTestDatabase('sqlite', { isMigrated: true });
    store = await openTestDatabase(database);
    [events, reconciles] = [[], []];
    await store.transaction(({ operationHosts }) =>
      operationHosts.insert(ROLLOUT.operation, [{ host: HOST, enrolment: 'e', position: 0 }]),
    );
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  const read = () => store.reads.operationHosts.get(ROLLOUT.operation, HOST);

  /** Sets the initial state of the operation host in the attempt of the task, and returns its state after `record`. */
  async function recorded<T>(initial: Partial<OperationHost>, record: (transaction: HostTransaction) => Promise<T>) {
    const result = await store.transaction(async records => {
      const operationHost = await records.operationHosts.lock(ROLLOUT.operation, HOST);
      const changed = operationHost && { ...operationHost, attempt: ROLLOUT.attempt, ...initial };
      if (changed) await records.operationHosts.update(ROLLOUT.operation, changed);
      return record({
        ...{ records, host: undefined, nowMs: 0, at: 'now' },
        emit: async event => void events.push(event),
        requestReconcile: cluster => void reconciles.push(cluster),
        notifyOutput: () => {},
      });
    });
    return {
      result,
      operationHost: await read(),
      events: events.map(one => (one.type === 'operation.host' ? one.data.state : one.type)),
      news: reconciles,
    };
  }

  const step = (initial: Partial<OperationHost>, task: Task, progress: TaskState) =>
    recorded(initial, transaction => recordStepStarted(transaction, task, procedures[task.kind].steps, progress));

  test('recordStepStarted emits the phase of the next step and requests a reconcile', async () => {
    const result = await step({ phase: 'cordoning', isCordoned: true }, ROLLOUT, stateAfter('cordon'));
    expect(result).toMatchObject({
      operationHost: {
        phase: 'draining',
        isCordoned: true,
        phases: [{ phase: 'draining', attempt: 2, at: 'now' }],
      },
      events: ['draining'],
      news: ['c'],
    });
  });

  test('recordStepStarted emits nothing for a step in the same phase', async () => {
    const result = await step({ phase: 'armed' }, ROLLOUT, stateAfter('cordon', 'drain', 'apply', 'plan_reboot'));
    expect(result).toMatchObject({ operationHost: { phase: 'armed', phases: [] }, events: [], news: [] });
  });

  test('recordStepStarted clears isCordoned when another owner has cordoned the node', async () => {
    const progress = { ...INITIAL_TASK_STATE, done: { cordon: { is_cordoned: false } } };
    const { operationHost } = await step({ phase: 'cordoning', isCordoned: true }, ROLLOUT, progress);
    expect(operationHost).toMatchObject({ phase: 'draining', isCordoned: false });
  });

  test('recordStepStarted keeps the phase during a rollback', async () => {
    const rollback: Rollback = { fromStep: 'drain', reason: 'cancelled', problem: '' };
    const { operationHost, events: states } = await step({ phase: 'draining' }, ROLLOUT, {
      ...stateAfter('cordon'),
      rollback,
    });
    expect([operationHost?.phase, states]).toEqual(['draining', []]);
  });

  test.each<[string, Partial<OperationHost>, boolean, readonly string[]]>([
    ['marks an unresponsive host as unreachable', {}, true, ['unreachable']],
    ['keeps the phase of an unhealthy host', {}, false, []],
    ['restores the phase of a host that responds again', { isUnreachable: true }, false, ['verifying']],
  ])('recordStepDelayed: %s', async (_case, initial, isUnresponsive, states) => {
    const result = await recorded({ phase: 'verifying', ...initial }, transaction =>
      recordStepDelayed(transaction, ROLLOUT, { problem: 'p', isUnresponsive, awaitsRebootClearance: false }),
    );
    expect(result).toMatchObject({
      operationHost: { phase: 'verifying', problem: 'p', isUnreachable: isUnresponsive },
      events: states,
    });
  });

  test.each([
    [
      'requests a reconcile for the first request for a clearance',
      { clearedUntilMs: null, awaitsRebootClearance: false },
      ['c'],
    ],
    [
      'requests a reconcile after a clearance has expired',
      { clearedUntilMs: 1000, awaitsRebootClearance: true },
      ['c'],
    ],
    ['requests no reconcile for a repeated request', { clearedUntilMs: null, awaitsRebootClearance: true }, []],
  ])('recordStepDelayed %s', async (_case, initial, requested) => {
    const delay = { problem: 'not_cleared: x', isUnresponsive: false, awaitsRebootClearance: true };
    const { operationHost, news } = await recorded(
      { phase: 'armed', problem: 'not_cleared: x', ...initial },
      transaction => recordStepDelayed(transaction, ROLLOUT, delay),
    );
    expect(operationHost).toMatchObject({ clearedUntilMs: null, awaitsRebootClearance: true });
    expect(news).toEqual(requested);
  });

  test('recordTaskFinished stores the stage result and requests a reconcile', async () => {
    const progress = {
      ...INITIAL_TASK_STATE,
      done: { preflight: { os_driver: 'd' }, stage: { version: '44' } },
    };
    const result = await recorded({ phase: 'staging' }, transaction =>
      recordTaskFinished(transaction, STAGE, progress, { isNoop: false }),
    );
    expect(result).toMatchObject({
      result: {},
      operationHost: { phase: 'staging', isStaged: true, stageResult: { os_driver: 'd', version: '44' } },
      events: ['queued'],
      news: ['c'],
    });
  });

  test('recordTaskFinished marks a host as done without change when its stage task is a noop', async () => {
    const result = await recorded({ phase: 'preflight' }, transaction =>
      recordTaskFinished(transaction, STAGE, INITIAL_TASK_STATE, { isNoop: true }),
    );
    expect(result).toMatchObject({
      result: {},
      operationHost: { phase: 'done', wasNoop: true },
      events: ['done'],
    });
  });

  test('recordTaskFinished requires verification for a noop when an earlier attempt was in flight', async () => {
    const phases = [{ phase: 'verifying', attempt: 1, at: 'then' }] as const;
    const result = await recorded({ phase: 'preflight', isCordoned: true, phases }, transaction =>
      recordTaskFinished(transaction, STAGE, INITIAL_TASK_STATE, { isNoop: true }),
    );
    expect(result).toMatchObject({
      result: {},
      operationHost: {
        phase: 'staging',
        isStaged: true,
        isCordoned: true,
        stageResult: { verify_only: true },
      },
      news: ['c'],
    });
  });

  test('recordTaskFinished marks a verified host as done, uncordoned and reachable in its new boot', async () => {
    const progress = { ...INITIAL_TASK_STATE, done: { verify: { boot_id: NEXT_BOOT }, uncordon: {} } };
    const result = await recorded({ phase: 'uncordoning', isCordoned: true }, transaction =>
      recordTaskFinished(transaction, ROLLOUT, progress, { isNoop: false }),
    );
    expect(result).toMatchObject({
      result: { trigger: 'became_reachable', checkResult: 'passed', facts: { bootId: NEXT_BOOT } },
      operationHost: { phase: 'done', wasNoop: false, isCordoned: false, finishedAt: 'now' },
      events: ['done'],
    });
  });

  const FAILED = { kind: 'failed', holdsSlot: false } as const;
  const SYSTEMIC = { kind: 'failed', holdsSlot: true } as const;
  const UNCORDONED = { rollback_cordon: { still_cordoned: false } };
  const STILL_CORDONED = 'the node is still cordoned';

  test.each<[string, Rollback['reason'], TaskState['done'], Partial<OperationHost>]>([
    [
      'a failed host that stays cordoned holds its slot',
      FAILED,
      {},
      { phase: 'failed', holdsSlot: true, problem: `p; ${STILL_CORDONED}`, isCordoned: true },
    ],
    [
      'a failed host that was uncordoned frees its slot',
      FAILED,
      UNCORDONED,
      { phase: 'failed', holdsSlot: false, problem: 'p', isCordoned: false },
    ],
    [
      'a systemic failure holds the slot after uncordon',
      SYSTEMIC,
      UNCORDONED,
      { phase: 'failed', holdsSlot: true, problem: 'p', isCordoned: false },
    ],
    [
      'a failed uncordon holds the slot',
      FAILED,
      { rollback_cordon: { problem: 'away' } },
      { phase: 'failed', holdsSlot: true, problem: `p; ${STILL_CORDONED}`, isCordoned: true },
    ],
    [
      'a remaining cordon mark of the operation holds the slot',
      FAILED,
      { rollback_cordon: { still_cordoned: true } },
      { phase: 'failed', holdsSlot: true, problem: `p; ${STILL_CORDONED}`, isCordoned: true },
    ],
    [
      'a cancelled host is skipped',
      'cancelled',
      UNCORDONED,
      { phase: 'skipped', skipReason: 'cancelled', problem: '', isCordoned: false },
    ],
    [
      'a host that a user skipped and that stays cordoned reports the cordon',
      'by_hand',
      {},
      { phase: 'skipped', skipReason: 'by_hand', problem: STILL_CORDONED, isCordoned: true },
    ],
  ])('recordRolledBack: %s', async (_case, reason, done, expected) => {
    const rollback: Rollback = { fromStep: 'drain', reason, problem: 'p' };
    const result = await recorded({ phase: 'draining', isCordoned: true }, transaction =>
      recordRolledBack(transaction, ROLLOUT, { ...INITIAL_TASK_STATE, done, rollback }, rollback),
    );
    expect(result).toMatchObject({ operationHost: expected, events: [expected.phase], news: ['c'] });
  });

  test.each<[string, Partial<OperationHost>, OperationTask]>([
    ['has already ended', { phase: 'skipped' }, ROLLOUT],
    ['is in another attempt', { phase: 'draining', attempt: 3 }, ROLLOUT],
    ['belongs to another operation', { phase: 'draining' }, { ...ROLLOUT, operation: 'other' }],
  ])('recordTaskFinished changes nothing when the operation host %s', async (_case, initial, task) => {
    const end = (transaction: HostTransaction) =>
      recordTaskFinished(transaction, task, INITIAL_TASK_STATE, { isNoop: true });
    const result = await recorded(initial, end);
    expect(result).toMatchObject({ operationHost: initial, events: [], news: [] });
  });

  test('recordHostRemoved skips the host with left_cluster', async () => {
    const result = await recorded({ phase: 'draining' }, transaction => recordHostRemoved(transaction, ROLLOUT));
    expect(result).toMatchObject({
      operationHost: { phase: 'skipped', skipReason: 'left_cluster' },
      events: ['skipped'],
      news: ['c'],
    });
  });

  test('changes nothing for tasks that belong to no operation', async () => {
    const rollback: Rollback = { fromStep: 'wait_for_ssh', reason: FAILED, problem: 'p' };
    const { operationHost, events: states } = await recorded({ phase: 'pending' }, async transaction => {
      await recordStepStarted(transaction, BOOTSTRAP, procedures.bootstrap.steps, INITIAL_TASK_STATE);
      await recordStepDelayed(transaction, BOOTSTRAP, {
        problem: 'p',
        isUnresponsive: true,
        awaitsRebootClearance: false,
      });
      expect(await recordTaskFinished(transaction, BOOTSTRAP, INITIAL_TASK_STATE, { isNoop: false })).toEqual({});
      await recordRolledBack(transaction, BOOTSTRAP, INITIAL_TASK_STATE, rollback);
      await recordHostRemoved(transaction, BOOTSTRAP);
    });
    expect([operationHost?.phase, operationHost?.problem, states]).toEqual(['pending', '', []]);
  });
});
