import type { PolicyInput } from '../../../../src/domain/rollout/policy.ts';
import type { History, Setup } from './history.ts';

const without = <T>(list: readonly T[], from: number, count: number): readonly T[] => list.toSpliced(from, count);

/** Removes half of the events, then a quarter and so on, then single events. */
function* fewerEvents(history: History): Generator<History> {
  const { events } = history;
  for (let count = Math.ceil(events.length / 2); count >= 1; count = count === 1 ? 0 : Math.ceil(count / 2))
    for (let from = events.length - count; from >= 0; from -= count)
      yield { ...history, events: without(events, from, count) };
}

const SIMPLER: readonly Partial<Setup>[] = [
  { servers: 1 },
  { faultsAtCommits: [] },
  { finalRequests: [] },
  { pods: [] },
  { cordoned: [] },
  { controlPlane: [] },
  { bootDelays: { reportedAfterMs: 0, readyAfterMs: 0 } },
  { bootMs: 20_000 },
  { others: [] },
];

function* simplerSetups(history: History): Generator<History> {
  const { setup } = history;
  const withSetup = (changes: Partial<Setup>) => ({ ...history, setup: { ...setup, ...changes } });
  for (const changes of SIMPLER) yield withSetup(changes);
  for (const index of setup.faultsAtCommits.keys())
    yield withSetup({ faultsAtCommits: without(setup.faultsAtCommits, index, 1) });
  if (setup.others.length === 0) yield withSetup({ members: setup.members.slice(0, -1) });
  const { request } = setup;
  for (const field of Object.keys(request.policy) as (keyof PolicyInput)[]) {
    const { [field]: _, ...policy } = request.policy;
    yield withSetup({ request: { ...request, policy } });
  }
}

/** Finds a smaller history that still fails. Removing a part of a history changes nothing else in it. */
export async function shrink(
  history: History,
  fails: (history: History) => Promise<boolean>,
  withinMs: number,
): Promise<History> {
  const untilMs = performance.now() + withinMs;
  let smallest = history;
  const isSame = (other: History) => JSON.stringify(other) === JSON.stringify(smallest);
  const tryAll = async (candidates: Generator<History>): Promise<boolean> => {
    for (const candidate of candidates) {
      if (performance.now() > untilMs) return false;
      if (isSame(candidate) || !(await fails(candidate))) continue;
      smallest = candidate;
      return true;
    }
    return false;
  };
  while ((await tryAll(fewerEvents(smallest))) || (await tryAll(simplerSetups(smallest))));
  return smallest;
}
