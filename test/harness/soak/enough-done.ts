// A run that does little, or is told to try again all the time, shows nothing. These numbers are far below those of two busy cores.

export interface RunSize {
  readonly minutes: number;
  readonly servers: number;
  readonly rings: number;
  readonly guests: number;
}

type Done = Readonly<Record<string, number>>;

/** Of each, in a minute. */
const leastPerMinute = ({ servers, rings, guests }: RunSize): Done => ({
  operations: rings / 5,
  guests: guests / 2,
  records: 2,
  readers: 6,
  requests: 60 * servers,
  events: 60,
  webhook_messages: rings / 3 + guests / 2,
});
/** Callers that were told to try again, and lines of logs about whoever was: of a hundred requests of callers. */
const TROUBLE = ['turned_away', 'unavailable'];
const MOST_TROUBLE = 1;
/** Half of all events are told within it. */
const MOST_DELAY_MS = 10_000;

const medianOf = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What was done too little, and what went wrong too often. `delaysMs` are how late events were. */
export function tooLittle(size: RunSize, done: Done, delaysMs: readonly number[]): readonly string[] {
  const least = Object.entries(leastPerMinute(size)).map(
    ([kind, count]) => [kind, Math.floor(count * size.minutes)] as const,
  );
  const { requests = 0 } = done;
  const mostTrouble = Math.ceil((requests * MOST_TROUBLE) / 100);
  const delayMs = medianOf(delaysMs);
  return [
    ...least
      .filter(([kind, count]) => (done[kind] ?? 0) < count)
      .map(([kind, count]) => `${kind}: only ${done[kind] ?? 0}, and at least ${count} are wanted`),
    ...TROUBLE.filter(kind => (done[kind] ?? 0) > mostTrouble).map(
      kind => `${kind}: ${done[kind]}, and with ${requests} requests ${mostTrouble} may be`,
    ),
    ...(delayMs > MOST_DELAY_MS ? [`events were ${delayMs} ms late`] : []),
  ];
}
