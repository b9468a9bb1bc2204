// A running operation that does not advance reports the reason.

import type { OperationRow, State } from '../stored-state.ts';
import { plannedIn, policyOf } from '../stored-state.ts';
import { Stopwatch } from '../undisturbed-time.ts';
import type { Invariant } from './invariant.ts';

const ADVANCES_WITHIN_MS = 120_000;
/** A host that became healthy has no problem while it must stay healthy for `min_healthy_s`. */
const GRACE_MS = 15_000;

const ENDED = ['done', 'failed', 'skipped'];

/** The problem of an ended host does not explain why the others do not advance. */
const hasProblem = (state: State, operation: OperationRow): boolean =>
  operation.problem !== '' ||
  plannedIn(state, operation).some(({ phase, problem }) => problem !== '' && !ENDED.includes(phase));

interface Running {
  readonly advanced: Stopwatch;
  readonly withoutProblem: Stopwatch;
}

export function progressInvariant(): Invariant {
  const running = new Map<string, Running>();
  return ({ after, moved, time }) => {
    for (const operation of after.operations) {
      const { id, state } = operation;
      if (state !== 'running') {
        running.delete(id);
        continue;
      }
      const previous = running.get(id);
      const hasAdvanced = previous === undefined || moved.some(({ is }) => is.operation === id);
      const isExplained = hasAdvanced || hasProblem(after, operation);
      const next = {
        advanced: hasAdvanced ? new Stopwatch(time) : previous.advanced,
        withoutProblem: isExplained ? new Stopwatch(time) : previous.withoutProblem,
      };
      running.set(id, next);
      if (isExplained) continue;
      const graceMs = policyOf(operation).minHealthyS * 1000 + GRACE_MS;
      const elapsedMs = next.advanced.elapsedMs;
      if (elapsedMs > ADVANCES_WITHIN_MS && next.withoutProblem.elapsedMs > graceMs)
        return `operation ${id} has not advanced for ${Math.round(elapsedMs / 1000)} s, and neither it nor a host has a problem`;
    }
    return undefined;
  };
}
