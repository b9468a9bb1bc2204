// Each guard is broken in turn, and is missed: a suite that stays green without one would prove nothing of it.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import type * as policy from '../../../src/domain/rolling/policy.ts';
import type { Machine, MachineFake } from '../../../src/drivers/machine.ts';
import type { Operations } from '../../../src/operations/index.ts';
import { rebootFake } from '../../../src/operations/reboot/fake.ts';
import { sentBy } from '../../../src/operations/reboot/send-reboot.ts';
import type { Records } from '../../../src/store/records.ts';
import type { Store } from '../../../src/store/store.ts';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import { freezeAndWake, MOST_PASSES } from './model/freeze-and-wake.ts';
import { play } from './model/play.ts';
import { LATE_REBOOTS, PART_OF_HOSTS, REFUSED_DRAIN } from './model/scenarios.ts';

/** Every so many passes: a long run has them all. */
const STRIDE = process.env['HOSTLER_TEST_ALL'] ? 1 : 4;

const rule = vi.hoisted(() => ({ isRoundedUp: false }));

vi.mock('../../../src/domain/rolling/policy.ts', async importOriginal => {
  const original = await importOriginal<typeof policy>();
  const roundedUp: typeof policy.amountOf = (amount, total, { atLeast }) =>
    typeof amount === 'number'
      ? original.amountOf(amount, total, { atLeast })
      : Math.max(atLeast, Math.ceil((total * Number(amount.slice(0, -1))) / 100));
  const amountOf: typeof policy.amountOf = (...args) =>
    (rule.isRoundedUp ? roundedUp : original.amountOf)(...args);
  return { ...original, amountOf };
});

let store: ReusedStore;
beforeAll(async () => {
  store = await reusedStore('sqlite');
});
afterAll(() => store.end());

/** Where the script of a reboot is given its name, the boot and the deadline. */
const [BOOT, DEADLINE] = [5, 6];

/** What a host does before it takes on a reboot, so that one guard lets through what it should not. */
const BROKEN_GUARDS = {
  boot: ({ bootId }: Machine, argv: Argv) => argv.with(BOOT, bootId),
  marker: ({ run }: Machine, argv: Argv) => {
    const name = sentBy(argv)?.name ?? '';
    for (const file of run.keys()) if (file.includes(name)) run.delete(file);
    return argv;
  },
  deadline: (_: Machine, argv: Argv) => argv.with(DEADLINE, '999999999'),
};

const withBroken = (guard: keyof typeof BROKEN_GUARDS): MachineFake => ({
  ...rebootFake,
  answer: (machine, argv, caller) => {
    const [program, ...rest] = sentBy(argv) ? BROKEN_GUARDS[guard](machine, argv) : argv;
    return rebootFake.answer(machine, [program ?? '', ...rest], caller);
  },
});

test.each([
  ['boot', 'when the host is done'],
  ['marker', 'when the host was called off'],
  ['deadline', 'when the host was given up'],
] as const)('without the guard of the %s a reboot comes %s', async (guard, when) => {
  const history = LATE_REBOOTS[when];
  if (history === undefined) throw new Error(`there is no scenario ${when}`);
  expect(await play({ store, options: { reboots: withBroken(guard) } }, history)).toMatch(
    /127\.0\.0\.1 reboots/,
  );
});

const withoutUndo = (standard: Operations): Operations => ({
  procedureFor: work => {
    const procedure = standard.procedureFor(work);
    const steps = (retreat: Parameters<NonNullable<typeof procedure.retreatFrom>>[0]) =>
      (procedure.retreatFrom?.(retreat) ?? []).filter(({ name }) => name !== 'undo_cordon');
    return { ...procedure, retreatFrom: steps };
  },
});

test('without what undoes a cordon a node is left cordoned', async () => {
  const problem = await play({ store, options: { operations: withoutUndo } }, REFUSED_DRAIN);
  expect(problem).toMatch(/went from draining to failed, and is left cordoned/);
});

test('when a part of the hosts is rounded up more hosts are out of service than may be', async () => {
  rule.isRoundedUp = true;
  const problem = await play({ store }, PART_OF_HOSTS).finally(() => {
    rule.isRoundedUp = false;
  });
  expect(problem).toMatch(/when 2 of 1 slots were used/);
});

/** Whoever has had a host may write about it for ever. */
function withoutFence(opened: Store): Store {
  const unfenced = (records: Records): Records =>
    new Proxy(records, {
      get: (target, name) => {
        const found = Reflect.get(target, name);
        if (name === 'claims') return new Proxy(found, { get: holdsAlways });
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
  return { ...opened, transaction: work => opened.transaction(records => work(unfenced(records))) };
}

function holdsAlways(claims: Records['claims'], name: string | symbol): unknown {
  if (name === 'hold') return async () => true;
  const found = Reflect.get(claims, name);
  return typeof found === 'function' ? found.bind(claims) : found;
}

test('without the fence a server that wakes up does harm', { timeout: 120_000 }, async () => {
  for (let pass = 1; pass < MOST_PASSES; pass += STRIDE) {
    const { problem, hasFrozen } = await freezeAndWake(
      { store, disguise: withoutFence },
      { pass, wakesAt: 'verifying' },
    );
    if (problem) return expect(problem).toMatch(/went from verifying to/);
    if (!hasFrozen) break;
  }
  return expect.unreachable('nobody has missed the fence');
});
