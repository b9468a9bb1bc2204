// Removes each guard in turn. The model must find a violation, otherwise it does not prove that the guard works. The long
// run also finds the violations in random histories.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import type * as budget from '../../../src/domain/rollout/budget.ts';
import type * as decide from '../../../src/domain/rollout/decide.ts';
import type * as policy from '../../../src/domain/rollout/policy.ts';
import type { RolloutSnapshot } from '../../../src/domain/rollout/snapshot.ts';
import type * as taskProgress from '../../../src/engine/tasks/task-progress.ts';
import type { Procedures } from '../../../src/procedures/index.ts';
import { parseRebootArgv } from '../../../src/procedures/reboot/reboot-scripts.ts';
import { simulatedReboot } from '../../../src/simulator/reboot.ts';
import type { CommandSimulator, SimulatedMachine } from '../../../src/simulator/simulated-machine.ts';
import type { Repositories } from '../../../src/store/repositories/index.ts';
import type { Store } from '../../../src/store/store.ts';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import { IS_LONG_RUN } from '../../harness/vitest/long-run.ts';
import { freezeAndThaw, MAX_CALLS } from './model/freeze-and-thaw.ts';
import { generateHistory } from './model/generate-history.ts';
import { runHistory } from './model/run-history.ts';
import {
  LATE_REBOOTS,
  OUTAGE_BEFORE_REQUEST,
  PERCENTAGE,
  REBOOT_LOOP,
  REFUSED_DRAIN,
  RETRY_AFTER_FAILED_HOST_LEFT,
} from './model/scenarios.ts';

const MINUTE = 60_000;

/** Guards that are currently disabled. */
const broken = vi.hoisted(() => ({
  rounding: false,
  freshness: false,
  deadline: false,
  acceptedFailures: false,
}));

vi.mock('../../../src/domain/rollout/policy.ts', async importOriginal => {
  const original = await importOriginal<typeof policy>();
  const roundedUp: typeof policy.resolveHostAmount = (amount, total, { atLeast }) =>
    typeof amount === 'number'
      ? original.resolveHostAmount(amount, total, { atLeast })
      : Math.max(atLeast, Math.ceil((total * Number(amount.slice(0, -1))) / 100));
  const resolveHostAmount: typeof policy.resolveHostAmount = (...args) =>
    (broken.rounding ? roundedUp : original.resolveHostAmount)(...args);
  return { ...original, resolveHostAmount };
});

/**
 * Members count as in service until their status changes. They are not checked before a host is taken out of
 * service.
 */
const withoutFreshness = (snapshot: RolloutSnapshot): RolloutSnapshot => ({
  ...snapshot,
  operation: { ...snapshot.operation, assessment: 'done' },
  outages: snapshot.outages.filter(({ reason }) => reason !== 'unreachable'),
  staged: snapshot.staged.map(candidate => ({ ...candidate, isUnresponsive: false })),
  unchecked: [],
  freshUntilMs: Number.POSITIVE_INFINITY,
});

vi.mock('../../../src/domain/rollout/decide.ts', async importOriginal => {
  const original = await importOriginal<typeof decide>();
  return {
    ...original,
    decideRollout: (snapshot: RolloutSnapshot) =>
      original.decideRollout(broken.freshness ? withoutFreshness(snapshot) : snapshot),
  };
});

vi.mock('../../../src/engine/tasks/task-progress.ts', async importOriginal => {
  const original = await importOriginal<typeof taskProgress>();
  /** Only failed attempts count towards the deadline, not the time in which a step waits. */
  const withoutDeadline: typeof taskProgress.nextTransition = (outcome, situation) => {
    const isWaiting = broken.deadline && outcome.kind === 'waiting';
    return original.nextTransition(outcome, isWaiting ? { ...situation, isPartitioned: true } : situation);
  };
  return { ...original, nextTransition: withoutDeadline };
});

vi.mock('../../../src/domain/rollout/budget.ts', async importOriginal => {
  const original = await importOriginal<typeof budget>();
  return {
    ...original,
    maxFailuresToFinish: (snapshot: RolloutSnapshot) =>
      (broken.acceptedFailures ? original.maxFailuresToContinue : original.maxFailuresToFinish)(snapshot),
  };
});

async function whileBroken<Result>(guard: keyof typeof broken, run: () => Promise<Result>): Promise<Result> {
  broken[guard] = true;
  try {
    return await run();
  } finally {
    broken[guard] = false;
  }
}

let store: ReusedStore;
beforeAll(async () => {
  store = await reusedStore('sqlite');
});
afterAll(() => store.close());

/** Positions in the arguments of the reboot script. */
const [BOOT, DEADLINE] = [5, 6];

/** Each changes a reboot command or the host so that one guard does not stop the command. */
const BROKEN_GUARDS = {
  boot: ({ bootId }: SimulatedMachine, argv: Argv) => argv.with(BOOT, bootId),
  marker: ({ runFiles }: SimulatedMachine, argv: Argv) => {
    const name = parseRebootArgv(argv)?.name ?? '';
    for (const file of runFiles.keys()) if (file.includes(name)) runFiles.delete(file);
    return argv;
  },
  deadline: (_: SimulatedMachine, argv: Argv) => argv.with(DEADLINE, '999999999'),
};

const withBroken = (guard: keyof typeof BROKEN_GUARDS): CommandSimulator => ({
  ...simulatedReboot,
  execute: (machine, argv, caller) => {
    const [program, ...rest] = parseRebootArgv(argv) ? BROKEN_GUARDS[guard](machine, argv) : argv;
    return simulatedReboot.execute(machine, [program ?? '', ...rest], caller);
  },
});

test.each([
  ['boot', 'after the host is done'],
  ['marker', 'after the reboot was cancelled'],
  ['marker', 'after the reboot was cancelled on a read-only /run'],
  ['deadline', 'after the host has failed'],
] as const)('without the %s guard a late command reboots the host %s', async (guard, when) => {
  const history = LATE_REBOOTS[when];
  if (history === undefined) throw new Error(`no scenario for ${when}`);
  expect(await runHistory({ store, options: { rebootSimulator: withBroken(guard) } }, history)).toMatch(
    /127\.0\.0\.1 reboots/,
  );
});

const withoutRollback = (standard: Procedures): Procedures => {
  const { abortRules } = standard.rollout;
  if (abortRules === undefined) throw new Error('the rollout procedure has no rollback');
  const rollbackSteps: typeof abortRules.rollbackSteps = (task, rollback) =>
    abortRules.rollbackSteps(task, rollback).filter(({ name }) => name !== 'rollback_cordon');
  return { ...standard, rollout: { ...standard.rollout, abortRules: { ...abortRules, rollbackSteps } } };
};

test('without the rollback_cordon step a node stays cordoned', async () => {
  const violation = await runHistory({ store, options: { procedures: withoutRollback } }, REFUSED_DRAIN);
  expect(violation).toMatch(/went from draining to failed, and is left cordoned/);
});

test('rounding a max_unavailable percentage up exceeds the budget', async () => {
  const violation = await whileBroken('rounding', () => runHistory({ store }, PERCENTAGE));
  expect(violation).toMatch(/when 2 of 1 slots were used/);
});

const RULES = [
  [
    'the check of members before a reboot',
    'freshness',
    OUTAGE_BEFORE_REQUEST,
    /was rebooted with 2 other hosts down and max_unavailable 1/,
  ],
  ['the deadline of a phase', 'deadline', REBOOT_LOOP, /has been verifying for \d+ s, with a timeout of 120 s/],
  [
    'the count of accepted failures',
    'acceptedFailures',
    RETRY_AFTER_FAILED_HOST_LEFT,
    /finished with 1 failures of at most 0/,
  ],
] as const;

test.each(RULES)('without %s a scenario violates an invariant', async (_rule, guard, history, violation) => {
  expect(await whileBroken(guard, () => runHistory({ store }, history))).toMatch(violation);
});

/** Upper limit, far above the number of seeds that is needed. */
const MAX_SEEDS = 1000;
const VIOLATIONS = {
  freshness: /was rebooted with \d+ other hosts? down/,
  deadline: /has been verifying for/,
  acceptedFailures: /finished with \d+ failures of at most/,
};

async function expectViolationInRandomHistory(rule: string, guard: keyof typeof VIOLATIONS): Promise<void> {
  for (let seed = 1; seed <= MAX_SEEDS; seed += 1) {
    const violation = await whileBroken(guard, () => runHistory({ store }, generateHistory(seed)));
    if (violation && VIOLATIONS[guard].test(violation)) {
      process.stdout.write(`without ${rule}, history ${seed} fails: ${violation}\n`);
      return;
    }
  }
  expect.unreachable(`no history up to ${MAX_SEEDS} violates an invariant`);
}

/** A server that lost its claim can still write. */
function withoutFence(opened: Store): Store {
  const unfenced = (records: Repositories): Repositories =>
    new Proxy(records, {
      get: (target, name) => {
        const found = Reflect.get(target, name);
        if (name === 'claims') return new Proxy(found, { get: alwaysHold });
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
  return { ...opened, transaction: run => opened.transaction(records => run(unfenced(records))) };
}

function alwaysHold(claims: Repositories['claims'], name: string | symbol): unknown {
  if (name === 'lockIfCurrent') return async () => true;
  const found = Reflect.get(claims, name);
  return typeof found === 'function' ? found.bind(claims) : found;
}

async function expectViolationWithoutFence(): Promise<void> {
  for (let call = 1; call < MAX_CALLS; call += 1) {
    const { violation, hasFrozen } = await freezeAndThaw(
      { store, wrapStore: withoutFence },
      { call, thawsAt: 'verifying' },
    );
    if (violation) {
      expect(violation).toMatch(/went from verifying to/);
      return;
    }
    if (!hasFrozen) break;
  }
  expect.unreachable('no call needs the fencing token');
}

if (IS_LONG_RUN) {
  test.each(RULES)(
    'without %s a random history violates an invariant',
    (rule, guard) => expectViolationInRandomHistory(rule, guard),
    30 * MINUTE,
  );
  test('without the fencing token a thawed server writes an earlier phase', expectViolationWithoutFence);
}
