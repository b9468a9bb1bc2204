import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { makeStorePlace, openPlace } from '../../../test/harness/stores/stores.ts';
import type { DomainEvent } from '../../domain/events/domain-event.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import type { OperationTask, Rollback, Task, TaskState } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import { createProcedures } from '../../procedures/index.ts';
import { HOST, NEXT_BOOT, rolloutTask, stageTask } from '../../procedures/rollout/step-fixtures.ts';
import type { Store } from '../../store/store.ts';
import type { HostTransaction } from '../host-transaction.ts';
import {
  recordHostDeleted,
  recordRolledBack,
  recordStepDelayed,
  recordStepStarted,
  recordTaskFinished,
} from './operation-progress.ts';

const procedures = createProcedures({ contactTimeoutMs: 1, retryTimeoutMs: 1 });
const [STAGE, ROLLOUT] = [stageTask('upgrade'), rolloutTask('upgrade')];
const BOOTSTRAP: Task = { kind: 'bootstrap', host: HOST, enrolment: 'e' };
const after = (...steps: readonly string[]): TaskState => ({
  ...INITIAL_TASK_STATE,
  done: Object.fromEntries(steps.map(step => [step, {}])),
});

describe('what is told of the work of an operation', () => {
  let place: StorePlace;
  let store: Store;
  let events: DomainEvent[];
  let news: string[];
  beforeEach(async () => {
    place = await makeStorePlace('sqlite');
    store = await openPlace(place);
    [events, news] = [[], []];
    await store.transaction(({ operationHosts }) =>
      operationHosts.insert(ROLLOUT.operation, [{ host: HOST, enrolment: 'e', position: 0 }]),
    );
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  const read = () => store.reads.operationHosts.get(ROLLOUT.operation, HOST);

  /** Makes it what is given, in the attempt of the work, and answers what it is after a note. */
  async function recorded<T>(
    initial: Partial<OperationHost>,
    record: (change: HostTransaction) => Promise<T>,
  ) {
    const result = await store.transaction(async records => {
      const operationHost = await records.operationHosts.lock(ROLLOUT.operation, HOST);
      const changed = operationHost && { ...operationHost, attempt: ROLLOUT.attempt, ...initial };
      if (changed) await records.operationHosts.update(ROLLOUT.operation, changed);
      return record({
        ...{ records, host: undefined, nowMs: 0, at: 'now' },
        emit: async happening => void events.push(happening),
        requestReconcile: cluster => void news.push(cluster),
        notifyOutput: () => {},
      });
    });
    return {
      result,
      operationHost: await read(),
      events: events.map(one => (one.type === 'operation.host' ? one.data.state : one.type)),
      news,
    };
  }

  const step = (from: Partial<OperationHost>, work: Task, progress: TaskState) =>
    recorded(from, change => recordStepStarted(change, work, procedures.procedureFor(work), progress));

  test('the phase of the next step is told, and may let others go on', async () => {
    const result = await step({ phase: 'cordoning', isCordoned: true }, ROLLOUT, after('cordon'));
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

  test('a step in the same phase tells nothing', async () => {
    const result = await step({ phase: 'armed' }, ROLLOUT, after('cordon', 'drain', 'apply', 'plan_reboot'));
    expect(result).toMatchObject({ operationHost: { phase: 'armed', phases: [] }, events: [], news: [] });
  });

  test('a node that others have cordoned is not ours, and that is known', async () => {
    const progress = { ...INITIAL_TASK_STATE, done: { cordon: { is_cordoned: false } } };
    const { operationHost } = await step({ phase: 'cordoning', isCordoned: true }, ROLLOUT, progress);
    expect(operationHost).toMatchObject({ phase: 'draining', isCordoned: false });
  });

  test('one that goes back stays in its phase', async () => {
    const rollback: Rollback = { fromStep: 'drain', reason: 'cancelled', problem: '' };
    const { operationHost, events: states } = await step({ phase: 'draining' }, ROLLOUT, {
      ...after('cordon'),
      rollback,
    });
    expect([operationHost?.phase, states]).toEqual(['draining', []]);
  });

  test.each<[string, Partial<OperationHost>, boolean, readonly string[]]>([
    ['does not answer: it is unreachable', {}, true, ['unreachable']],
    ['is not well: it stays in its phase', {}, false, []],
    ['answers again: it is in its phase again', { isUnreachable: true }, false, ['verifying']],
  ])('a host that %s', async (_what, from, isUnresponsive, states) => {
    const result = await recorded({ phase: 'verifying', ...from }, change =>
      recordStepDelayed(change, ROLLOUT, { problem: 'p', isUnresponsive, asksToReboot: false }),
    );
    expect(result).toMatchObject({
      operationHost: { phase: 'verifying', problem: 'p', isUnreachable: isUnresponsive },
      events: states,
    });
  });

  test('one that is prepared keeps what its steps came to, and others may go on', async () => {
    const progress = {
      ...INITIAL_TASK_STATE,
      done: { preflight: { os_driver: 'd' }, stage: { version: '44' } },
    };
    const result = await recorded({ phase: 'staging' }, change =>
      recordTaskFinished(change, STAGE, progress, { isNoop: false }),
    );
    expect(result).toMatchObject({
      result: {},
      operationHost: { phase: 'staging', isStaged: true, stageResult: { os_driver: 'd', version: '44' } },
      events: [],
      news: ['c'],
    });
  });

  test('one with nothing to do is done, and was there already', async () => {
    const result = await recorded({ phase: 'preflight' }, change =>
      recordTaskFinished(change, STAGE, INITIAL_TASK_STATE, { isNoop: true }),
    );
    expect(result).toMatchObject({
      result: {},
      operationHost: { phase: 'done', wasNoop: true },
      events: ['done'],
    });
  });

  test('one with nothing to do that was in flight before is not done before it is proved', async () => {
    const phases = [{ phase: 'verifying', attempt: 1, at: 'then' }] as const;
    const result = await recorded({ phase: 'preflight', isCordoned: true, phases }, change =>
      recordTaskFinished(change, STAGE, INITIAL_TASK_STATE, { isNoop: true }),
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

  test('one that is proved is done, schedulable, and known to be well in its new boot', async () => {
    const progress = { ...INITIAL_TASK_STATE, done: { verify: { boot_id: NEXT_BOOT }, uncordon: {} } };
    const result = await recorded({ phase: 'uncordoning', isCordoned: true }, change =>
      recordTaskFinished(change, ROLLOUT, progress, { isNoop: false }),
    );
    expect(result).toMatchObject({
      result: { trigger: 'became_reachable', check: 'passed', facts: { bootId: NEXT_BOOT } },
      operationHost: { phase: 'done', wasNoop: false, isCordoned: false, finishedAt: 'now' },
      events: ['done'],
    });
  });

  const FAILED = { kind: 'failed', holdsSlot: false } as const;
  const SYSTEMIC = { kind: 'failed', holdsSlot: true } as const;
  const UNCORDONED = { rollback_cordon: { still_cordoned: false } };
  const LEFT = 'the node is still cordoned';

  test.each<[string, Rollback['reason'], TaskState['done'], Partial<OperationHost>]>([
    [
      'failed, and stays cordoned: it keeps its slot',
      FAILED,
      {},
      { phase: 'failed', holdsSlot: true, problem: `p; ${LEFT}`, isCordoned: true },
    ],
    [
      'failed, and is not cordoned any more',
      FAILED,
      UNCORDONED,
      { phase: 'failed', holdsSlot: false, problem: 'p', isCordoned: false },
    ],
    [
      'failed as the next would, and is not cordoned any more',
      SYSTEMIC,
      UNCORDONED,
      { phase: 'failed', holdsSlot: true, problem: 'p', isCordoned: false },
    ],
    [
      'could not be uncordoned',
      FAILED,
      { rollback_cordon: { problem: 'away' } },
      { phase: 'failed', holdsSlot: true, problem: `p; ${LEFT}`, isCordoned: true },
    ],
    [
      'still has a mark of ours',
      FAILED,
      { rollback_cordon: { still_cordoned: true } },
      { phase: 'failed', holdsSlot: true, problem: `p; ${LEFT}`, isCordoned: true },
    ],
    [
      'was cancelled',
      'cancelled',
      UNCORDONED,
      { phase: 'skipped', skipReason: 'cancelled', problem: '', isCordoned: false },
    ],
    [
      'was skipped, and stays cordoned',
      'by_hand',
      {},
      { phase: 'skipped', skipReason: 'by_hand', problem: LEFT, isCordoned: true },
    ],
  ])('one that %s', async (_what, reason, done, expected) => {
    const rollback: Rollback = { fromStep: 'drain', reason, problem: 'p' };
    const result = await recorded({ phase: 'draining', isCordoned: true }, change =>
      recordRolledBack(change, ROLLOUT, { ...INITIAL_TASK_STATE, done, rollback }, rollback),
    );
    expect(result).toMatchObject({ operationHost: expected, events: [expected.phase], news: ['c'] });
  });

  test.each<[string, Partial<OperationHost>, OperationTask]>([
    ['has ended meanwhile', { phase: 'skipped' }, ROLLOUT],
    ['is in another attempt', { phase: 'draining', attempt: 3 }, ROLLOUT],
    ['is in another operation', { phase: 'draining' }, { ...ROLLOUT, operation: 'other' }],
  ])('of one that %s nothing is told', async (_what, from, work) => {
    const end = (change: HostTransaction) =>
      recordTaskFinished(change, work, INITIAL_TASK_STATE, { isNoop: true });
    const result = await recorded(from, end);
    expect(result).toMatchObject({ operationHost: from, events: [], news: [] });
  });

  test('one that has been removed is skipped, and not waited for', async () => {
    const result = await recorded({ phase: 'draining' }, change => recordHostDeleted(change, ROLLOUT));
    expect(result).toMatchObject({
      operationHost: { phase: 'skipped', skipReason: 'left_cluster' },
      events: ['skipped'],
      news: ['c'],
    });
  });

  test('of other work there is nothing to be told', async () => {
    const retreat: Rollback = { fromStep: 'wait_for_ssh', reason: FAILED, problem: 'p' };
    const { operationHost, events: states } = await recorded({ phase: 'pending' }, async change => {
      await recordStepStarted(change, BOOTSTRAP, procedures.procedureFor(BOOTSTRAP), INITIAL_TASK_STATE);
      await recordStepDelayed(change, BOOTSTRAP, { problem: 'p', isUnresponsive: true, asksToReboot: false });
      expect(await recordTaskFinished(change, BOOTSTRAP, INITIAL_TASK_STATE, { isNoop: false })).toEqual({});
      await recordRolledBack(change, BOOTSTRAP, INITIAL_TASK_STATE, retreat);
      await recordHostDeleted(change, BOOTSTRAP);
    });
    expect([operationHost?.phase, operationHost?.problem, states]).toEqual(['pending', '', []]);
  });
});
