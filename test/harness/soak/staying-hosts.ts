/** A host as the store has it. */
export interface HostState {
  readonly address: string;
  readonly status: string;
  /** UTC, without a zone; empty before the first. */
  readonly last_check: string;
}

const MOST_NAMED = 5;

const few = (problems: readonly string[]): readonly string[] =>
  problems.length > MOST_NAMED
    ? [...problems.slice(0, MOST_NAMED), `and ${problems.length - MOST_NAMED} more hosts`]
    : problems;

/** Which hosts of those that stay are gone, not active, or were not checked since then. */
export function unwell(
  states: readonly HostState[],
  staying: readonly string[],
  sinceMs: number,
): readonly string[] {
  const known = new Map(states.map(state => [state.address, state]));
  return few(
    staying.flatMap(address => {
      const { status = 'gone', last_check = '' } = known.get(address) ?? {};
      if (status !== 'active') return [`${address} is ${status}`];
      const isChecked = Date.parse(`${last_check}Z`) >= sinceMs;
      return isChecked ? [] : [`${address} was checked at ${last_check || 'no time'} for the last time`];
    }),
  );
}
