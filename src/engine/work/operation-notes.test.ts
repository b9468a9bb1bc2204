import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { makeStorePlace, openPlace } from '../../../test/harness/stores/stores.ts';
import type { Happening } from '../../domain/events/happening.ts';
import type { PlannedHost } from '../../domain/rolling/planned-host.ts';
import type { OperationWork, Progress, Retreat, Work } from '../../domain/work/work.ts';
import { NOT_BEGUN } from '../../domain/work/work.ts';
import { createOperations } from '../../operations/index.ts';
import { HOST, NEXT_BOOT, workToRoll, workToStage } from '../../operations/rolling/rolling-lab.ts';
import type { Store } from '../../store/store.ts';
import type { HostChange } from '../change-host.ts';
import { noteDelay, noteEnd, noteGone, noteRetreated, noteStep } from './operation-notes.ts';

const operations = createOperations({ contactWithinMs: 1, retryWithinMs: 1 });
const [STAGE, ROLL] = [workToStage('upgrade'), workToRoll('upgrade')];
const BOOTSTRAP: Work = { kind: 'bootstrap', host: HOST, enrolment: 'e' };
const after = (...steps: readonly string[]): Progress => ({
  ...NOT_BEGUN,
  done: Object.fromEntries(steps.map(step => [step, {}])),
});

describe('what is told of the work of an operation', () => {
  let place: StorePlace;
  let store: Store;
  let told: Happening[];
  let news: string[];
  beforeEach(async () => {
    place = await makeStorePlace('sqlite');
    store = await openPlace(place);
    [told, news] = [[], []];
    await store.transaction(({ operationHosts }) =>
      operationHosts.insert(ROLL.operation, [{ host: HOST, enrolment: 'e', position: 0 }]),
    );
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  const read = () => store.reads.operationHosts.get(ROLL.operation, HOST);

  /** Makes it what is given, in the attempt of the work, and answers what it is after a note. */
  async function noted<T>(from: Partial<PlannedHost>, note: (change: HostChange) => Promise<T>) {
    const answer = await store.transaction(async records => {
      const planned = await records.operationHosts.lock(ROLL.operation, HOST);
      const changed = planned && { ...planned, attempt: ROLL.attempt, ...from };
      if (changed) await records.operationHosts.update(ROLL.operation, changed);
      return note({
        ...{ records, host: undefined, nowMs: 0, at: 'now' },
        tell: async happening => void told.push(happening),
        news: cluster => void news.push(cluster),
        outputSaved: () => {},
      });
    });
    return {
      answer,
      planned: await read(),
      told: told.map(one => (one.type === 'operation.host' ? one.data.state : one.type)),
      news,
    };
  }

  const step = (from: Partial<PlannedHost>, work: Work, progress: Progress) =>
    noted(from, change => noteStep(change, work, operations.procedureFor(work), progress));

  test('the phase of the next step is told, and may let others go on', async () => {
    const result = await step({ phase: 'cordoning', isCordoned: true }, ROLL, after('cordon'));
    expect(result).toMatchObject({
      planned: {
        phase: 'draining',
        isCordoned: true,
        phases: [{ phase: 'draining', attempt: 2, at: 'now' }],
      },
      told: ['draining'],
      news: ['c'],
    });
  });

  test('a step in the same phase tells nothing', async () => {
    const result = await step({ phase: 'armed' }, ROLL, after('cordon', 'drain', 'apply', 'plan_reboot'));
    expect(result).toMatchObject({ planned: { phase: 'armed', phases: [] }, told: [], news: [] });
  });

  test('a node that others have cordoned is not ours, and that is known', async () => {
    const progress = { ...NOT_BEGUN, done: { cordon: { is_cordoned: false } } };
    const { planned } = await step({ phase: 'cordoning', isCordoned: true }, ROLL, progress);
    expect(planned).toMatchObject({ phase: 'draining', isCordoned: false });
  });

  test('one that goes back stays in its phase', async () => {
    const retreat: Retreat = { from: 'drain', why: 'cancelled', problem: '' };
    const { planned, told: said } = await step({ phase: 'draining' }, ROLL, { ...after('cordon'), retreat });
    expect([planned?.phase, said]).toEqual(['draining', []]);
  });

  test.each<[string, Partial<PlannedHost>, boolean, readonly string[]]>([
    ['does not answer: it is unreachable', {}, true, ['unreachable']],
    ['is not well: it stays in its phase', {}, false, []],
    ['answers again: it is in its phase again', { isUnreachable: true }, false, ['verifying']],
  ])('a host that %s', async (_what, from, isSilence, states) => {
    const result = await noted({ phase: 'verifying', ...from }, change =>
      noteDelay(change, ROLL, { problem: 'p', isSilence, asksToReboot: false }),
    );
    expect(result).toMatchObject({
      planned: { phase: 'verifying', problem: 'p', isUnreachable: isSilence },
      told: states,
    });
  });

  test('one that is prepared keeps what its steps came to, and others may go on', async () => {
    const progress = { ...NOT_BEGUN, done: { preflight: { os_driver: 'd' }, stage: { version: '44' } } };
    const result = await noted({ phase: 'staging' }, change =>
      noteEnd(change, STAGE, progress, { isSettled: false }),
    );
    expect(result).toMatchObject({
      answer: {},
      planned: { phase: 'staging', isStaged: true, prepared: { os_driver: 'd', version: '44' } },
      told: [],
      news: ['c'],
    });
  });

  test('one with nothing to do is done, and was there already', async () => {
    const result = await noted({ phase: 'preflight' }, change =>
      noteEnd(change, STAGE, NOT_BEGUN, { isSettled: true }),
    );
    expect(result).toMatchObject({
      answer: {},
      planned: { phase: 'done', isAlreadyThere: true },
      told: ['done'],
    });
  });

  test('one with nothing to do that was in flight before is not done before it is proved', async () => {
    const phases = [{ phase: 'verifying', attempt: 1, at: 'then' }] as const;
    const result = await noted({ phase: 'preflight', isCordoned: true, phases }, change =>
      noteEnd(change, STAGE, NOT_BEGUN, { isSettled: true }),
    );
    expect(result).toMatchObject({
      answer: {},
      planned: { phase: 'staging', isStaged: true, isCordoned: true, prepared: { verify_only: true } },
      news: ['c'],
    });
  });

  test('one that is proved is done, schedulable, and known to be well in its new boot', async () => {
    const progress = { ...NOT_BEGUN, done: { verify: { boot_id: NEXT_BOOT }, uncordon: {} } };
    const result = await noted({ phase: 'uncordoning', isCordoned: true }, change =>
      noteEnd(change, ROLL, progress, { isSettled: false }),
    );
    expect(result).toMatchObject({
      answer: { cause: 'answered', check: 'passed', facts: { bootId: NEXT_BOOT } },
      planned: { phase: 'done', isAlreadyThere: false, isCordoned: false, finishedAt: 'now' },
      told: ['done'],
    });
  });

  const FAILED = { kind: 'failed', keepsSlot: false } as const;
  const TELLING = { kind: 'failed', keepsSlot: true } as const;
  const UNCORDONED = { rollback_cordon: { still_cordoned: false } };
  const LEFT = 'the node is still cordoned';

  test.each<[string, Retreat['why'], Progress['done'], Partial<PlannedHost>]>([
    [
      'failed, and stays cordoned: it keeps its slot',
      FAILED,
      {},
      { phase: 'failed', keepsSlot: true, problem: `p; ${LEFT}`, isCordoned: true },
    ],
    [
      'failed, and is not cordoned any more',
      FAILED,
      UNCORDONED,
      { phase: 'failed', keepsSlot: false, problem: 'p', isCordoned: false },
    ],
    [
      'failed as the next would, and is not cordoned any more',
      TELLING,
      UNCORDONED,
      { phase: 'failed', keepsSlot: true, problem: 'p', isCordoned: false },
    ],
    [
      'could not be uncordoned',
      FAILED,
      { rollback_cordon: { problem: 'away' } },
      { phase: 'failed', keepsSlot: true, problem: `p; ${LEFT}`, isCordoned: true },
    ],
    [
      'still has a mark of ours',
      FAILED,
      { rollback_cordon: { still_cordoned: true } },
      { phase: 'failed', keepsSlot: true, problem: `p; ${LEFT}`, isCordoned: true },
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
  ])('one that %s', async (_what, why, done, expected) => {
    const retreat: Retreat = { from: 'drain', why, problem: 'p' };
    const result = await noted({ phase: 'draining', isCordoned: true }, change =>
      noteRetreated(change, ROLL, { ...NOT_BEGUN, done, retreat }, retreat),
    );
    expect(result).toMatchObject({ planned: expected, told: [expected.phase], news: ['c'] });
  });

  test.each<[string, Partial<PlannedHost>, OperationWork]>([
    ['has ended meanwhile', { phase: 'skipped' }, ROLL],
    ['is in another attempt', { phase: 'draining', attempt: 3 }, ROLL],
    ['is in another operation', { phase: 'draining' }, { ...ROLL, operation: 'other' }],
  ])('of one that %s nothing is told', async (_what, from, work) => {
    const end = (change: HostChange) => noteEnd(change, work, NOT_BEGUN, { isSettled: true });
    const result = await noted(from, end);
    expect(result).toMatchObject({ planned: from, told: [], news: [] });
  });

  test('one that has been removed is skipped, and not waited for', async () => {
    const result = await noted({ phase: 'draining' }, change => noteGone(change, ROLL));
    expect(result).toMatchObject({
      planned: { phase: 'skipped', skipReason: 'left_cluster' },
      told: ['skipped'],
      news: ['c'],
    });
  });

  test('of other work there is nothing to be told', async () => {
    const retreat: Retreat = { from: 'wait_for_ssh', why: FAILED, problem: 'p' };
    const { planned, told: said } = await noted({ phase: 'pending' }, async change => {
      await noteStep(change, BOOTSTRAP, operations.procedureFor(BOOTSTRAP), NOT_BEGUN);
      await noteDelay(change, BOOTSTRAP, { problem: 'p', isSilence: true, asksToReboot: false });
      expect(await noteEnd(change, BOOTSTRAP, NOT_BEGUN, { isSettled: false })).toEqual({});
      await noteRetreated(change, BOOTSTRAP, NOT_BEGUN, retreat);
      await noteGone(change, BOOTSTRAP);
    });
    expect([planned?.phase, planned?.problem, said]).toEqual(['pending', '', []]);
  });
});
