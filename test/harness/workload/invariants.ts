// Invariants of operations and records under faults, checked against the reboot history of the hosts and the responses of
// the servers. Each check returns its violations as texts.

import type { HostRebootHistory, RebootHistory } from '../host-fleets/reboot-history.ts';
import type { EventReader } from './event-reader.ts';

/** Milliseconds since 1970. */
interface Span {
  readonly address: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Fields of a host in the operation response. */
export interface OperationHostResponse {
  readonly address: string;
  readonly phase: string;
  readonly attempt: number;
  readonly phases: readonly { readonly phase: string; readonly at: string }[];
  readonly finished_at: string | null;
}

type Violations = readonly string[];

const PHASES_WITHOUT_SLOT = ['pending', 'preflight', 'staging', 'queued'];

const parseTimestamp = (timestamp: string): number => Date.parse(`${timestamp}Z`);
const formatTime = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(11, 23) : 'the end');

/** Reports each start at which more than `max` spans overlap. */
function findOverlaps(spans: readonly Span[], max: number, state: string): Violations {
  return spans.flatMap(({ fromMs }) => {
    const overlapping = spans.filter(span => span.fromMs <= fromMs && fromMs < span.toMs);
    const names = overlapping.map(({ address }) => address).join(', ');
    return overlapping.length > max
      ? [`at ${formatTime(fromMs)} ${overlapping.length} hosts were ${state}, limit ${max}: ${names}`]
      : [];
  });
}

/** From the accepted reboot until the host is up again. */
const downSpans = ({ address, acceptedReboots: accepted, reboots }: HostRebootHistory): readonly Span[] =>
  reboots.map(({ downAtMs, upAtMs }, index) => ({
    address,
    fromMs: Math.min(accepted[index]?.atMs ?? downAtMs, downAtMs),
    toMs: upAtMs ?? Number.POSITIVE_INFINITY,
  }));

/** At most one reboot per attempt, and none that was not accepted. */
export const checkRebootedOnce = (history: RebootHistory): Violations =>
  history.flatMap(({ address, acceptedReboots: accepted, reboots }) => {
    const attempts = Map.groupBy(accepted, ({ operation, attempt }) => `attempt ${attempt} of ${operation}`);
    const twice = [...attempts]
      .filter(([, all]) => all.length > 1)
      .map(([name, all]) => `${address} accepted ${all.length} reboots in ${name}`);
    const more = `${address} rebooted ${reboots.length} times, but accepted ${accepted.length} reboots`;
    return reboots.length > accepted.length ? [...twice, more] : twice;
  });

/** At most `maxUnavailable` hosts are down at any time. */
export const checkBudget = (history: RebootHistory, maxUnavailable: number): Violations =>
  findOverlaps(history.flatMap(downSpans), maxUnavailable, 'down');

/** Every host went down and came up exactly once. */
export const checkAllRestarted = (history: RebootHistory): Violations =>
  history.flatMap(({ address, reboots }) => {
    const ups = reboots.filter(({ upAtMs }) => upAtMs !== null).length;
    return ups === 1 && reboots.length === 1
      ? []
      : [`${address} went down ${reboots.length} times and came up ${ups} times`];
  });

function findSlot({ address, phases, finished_at }: OperationHostResponse): Span | undefined {
  const first = phases.find(({ phase }) => !PHASES_WITHOUT_SLOT.includes(phase));
  if (first === undefined) return undefined;
  const toMs = finished_at === null ? Number.POSITIVE_INFINITY : parseTimestamp(finished_at);
  return { address, fromMs: parseTimestamp(first.at), toMs };
}

/**
 * At most `maxUnavailable` hosts held a slot according to the record, and each host was down only while it
 * held its slot.
 */
export function checkOperationRecord(
  history: RebootHistory,
  record: readonly OperationHostResponse[],
  maxUnavailable: number,
): Violations {
  const slots = record.map(findSlot).filter(slot => slot !== undefined);
  const outside = history.flatMap(downSpans).flatMap(({ address, fromMs, toMs }) => {
    const slot = slots.find(candidate => candidate.address === address);
    return slot !== undefined && slot.fromMs <= fromMs && toMs <= slot.toMs
      ? []
      : [
          `${address} was down from ${formatTime(fromMs)} to ${formatTime(toMs)}, ${slot ? `but had its slot from ${formatTime(slot.fromMs)} to ${formatTime(slot.toMs)}` : 'but had no slot'}`,
        ];
  });
  const incomplete = record
    .filter(({ phase, attempt }) => phase !== 'done' || attempt !== 1)
    .map(({ address, phase, attempt }) => `the operation reports ${address} as ${phase} in attempt ${attempt}`);
  return [...findOverlaps(slots, maxUnavailable, 'in flight'), ...outside, ...incomplete];
}

export function checkNothingMissing(acknowledged: Iterable<string>, stored: Iterable<string>): Violations {
  const storedNames = new Set(stored);
  return [...acknowledged]
    .filter(name => !storedNames.has(name))
    .map(name => `${name} was acknowledged but is missing`);
}

export function checkSameResponses(responses: readonly string[]): Violations {
  const [first = ''] = responses;
  return responses.filter(response => response !== first).map(response => `servers disagree: ${first} and ${response}`);
}

/** IDs start at 1 without gaps or duplicates. */
export function checkEventSequence(ids: readonly number[]): Violations {
  return ids.flatMap((id, index) => {
    const expected = (ids[index - 1] ?? 0) + 1;
    return id === expected ? [] : [`received event ${id}, expected ${expected}`];
  });
}

interface PublishedEvent {
  readonly type: string;
  readonly subject: string;
}

/** Acknowledged changes, each of which must have exactly one event. A lost event leaves no gap in the IDs. */
export class AcknowledgedChanges {
  readonly #subjects = new Map<string, string[]>();

  /** `subject` is a cluster, a host or an operation. */
  add(type: string, subject: string): void {
    const subjects = this.#subjects.get(type) ?? [];
    subjects.push(subject);
    this.#subjects.set(type, subjects);
  }

  subjects(type: string): readonly string[] {
    return this.#subjects.get(type) ?? [];
  }

  findViolations(events: readonly PublishedEvent[]): Violations {
    const toKey = ({ type, subject }: PublishedEvent) => `${type} of ${subject}`;
    const changes = [...this.#subjects].flatMap(([type, subjects]) => subjects.map(subject => ({ type, subject })));
    const published = Map.groupBy(events, toKey);
    return [...Map.groupBy(changes, toKey)]
      .map(([key, { length }]) => ({ key, count: length, times: published.get(key)?.length ?? 0 }))
      .filter(({ count, times }) => times !== count)
      .map(({ key, count, times }) => `${key} was acknowledged ${count} times, and published ${times} times`);
  }
}

/** The reader received each event exactly once, and the events of all acknowledged changes. */
export const checkReceivedEvents = (reader: EventReader, acknowledged: AcknowledgedChanges): Violations => [
  ...reader.errors,
  ...checkEventSequence(reader.events.map(({ id }) => id - reader.startAfter)),
  ...acknowledged.findViolations(reader.events),
];
