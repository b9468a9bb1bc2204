// A run with little work, or many 503 responses, proves nothing. The minimums are far below the work of two
// busy cores.

export interface RunSize {
  readonly minutes: number;
  readonly servers: number;
  readonly busyClusters: number;
  readonly transientHosts: number;
}

type WorkCounts = Readonly<Record<string, number>>;

const minimumPerMinute = ({ servers, busyClusters, transientHosts }: RunSize): WorkCounts => ({
  operations: busyClusters / 5,
  transient_hosts: transientHosts / 2,
  records: 2,
  readers: 6,
  requests: 60 * servers,
  events: 60,
  webhook_messages: busyClusters / 3 + transientHosts / 2,
});
/** 503 responses, and log lines about them, in percent of the requests. */
const UNAVAILABLE_KINDS = ['unavailable_responses', 'store_timeouts'];
const MAX_UNAVAILABLE_PERCENT = 1;
/** Limit of the median delay of events. */
const MAX_EVENT_DELAY_MS = 10_000;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** `delaysMs` are the delays of events. */
export function checkMinimumWork(size: RunSize, done: WorkCounts, delaysMs: readonly number[]): readonly string[] {
  const minimum = Object.entries(minimumPerMinute(size)).map(
    ([kind, count]) => [kind, Math.floor(count * size.minutes)] as const,
  );
  const { requests = 0 } = done;
  const maxUnavailable = Math.ceil((requests * MAX_UNAVAILABLE_PERCENT) / 100);
  const delayMs = median(delaysMs);
  return [
    ...minimum
      .filter(([kind, count]) => (done[kind] ?? 0) < count)
      .map(([kind, count]) => `${kind}: ${done[kind] ?? 0}, minimum ${count}`),
    ...UNAVAILABLE_KINDS.filter(kind => (done[kind] ?? 0) > maxUnavailable).map(
      kind => `${kind}: ${done[kind]}, limit ${maxUnavailable} for ${requests} requests`,
    ),
    ...(delayMs > MAX_EVENT_DELAY_MS ? [`events were ${delayMs} ms late`] : []),
  ];
}
