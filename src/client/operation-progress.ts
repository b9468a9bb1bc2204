// How far an operation is, as whoever follows it has learned: by reading it, and by what happened since. Pure. What must hold: an event
// that a read has told of already changes nothing, no read takes back what a later event has told, and a hundred thousand hosts are no
// burden: events that come together cost one copy of the hosts.

import type { Static } from 'typebox';
import type { OperationReport } from '../contract/routes/operations.ts';
import type { PhaseGroup } from '../domain/vocabulary.ts';
import type { FollowedEvent } from './follow-events.ts';
import type { HostProgress } from './host-progress.ts';
import { partOf, readHostProgress, withHostEvent } from './host-progress.ts';
import { HostsInOrder } from './hosts-in-order.ts';

type Report = Static<typeof OperationReport>;

/** What is told of the whole, without its hosts. */
export type Whole = Omit<Report, 'hosts' | 'policy' | 'counts' | 'budget'>;

/** How far its hosts are. */
export interface HostsProgress {
  readonly hosts: HostsInOrder;
  /** The number of the newest event that the read of the hosts has seen. */
  readonly hostsPosition: number;
}

export interface Progress extends HostsProgress {
  readonly whole: Whole;
  /** The number of the newest event that the read of the whole has seen. */
  readonly position: number;
  /** Since when no server answers. */
  readonly silentSinceMs: number | undefined;
  /** How far the clock of the service is ahead of the one here. All other times are by the clock of the service. */
  readonly aheadMs: number;
}

/** What a request has answered. */
export interface Read {
  readonly report: Report;
  readonly position: number;
  readonly aheadMs: number;
}

const wholeOf = ({ hosts: _1, policy: _2, counts: _3, budget: _4, ...whole }: Report): Whole => whole;

/** Hosts as they were read, in as many parts as it took; the position is that of the first. */
export const hostsProgress = (hosts: Report['hosts'], position: number): HostsProgress => ({
  hosts: HostsInOrder.of(hosts.map(readHostProgress)),
  hostsPosition: position,
});

export const firstProgress = ({ report, position, aheadMs }: Read): Progress => ({
  ...{ whole: wholeOf(report), position, silentSinceMs: undefined, aheadMs },
  ...hostsProgress(report.hosts, position),
});

/** The whole was read anew; its hosts were not. */
export const withWhole = (progress: Progress, { report, position }: Read): Progress =>
  position < progress.position ? progress : { ...progress, whole: wholeOf(report), position };

/** All was read anew. */
export function withAll(progress: Progress, read: Read): Progress {
  const hosts = read.report.hosts.map(host => {
    const before = progress.hosts.get(host.address);
    return before !== undefined && before.toldBy > read.position ? before : readHostProgress(host);
  });
  return { ...withWhole(progress, read), hosts: HostsInOrder.of(hosts), hostsPosition: read.position };
}

/** What happened to its hosts; other events tell nothing that is not read. The same object where nothing changes. */
export function withEvents<P extends HostsProgress>(progress: P, events: readonly FollowedEvent[]): P {
  const changed = new Map<string, HostProgress>();
  for (const event of events) {
    if (event.type !== 'operation.host' || event.host === null || event.id <= progress.hostsPosition)
      continue;
    const before = changed.get(event.host) ?? progress.hosts.get(event.host);
    const after = before && withHostEvent(before, event);
    if (after !== undefined && after !== before) changed.set(event.host, after);
  }
  return changed.size === 0 ? progress : { ...progress, hosts: progress.hosts.with(changed) };
}

export const withSilence = (progress: Progress, silentSinceMs: number | undefined): Progress =>
  progress.silentSinceMs === silentSinceMs ? progress : { ...progress, silentSinceMs };

export const isOver = ({ whole }: { readonly whole: Pick<Whole, 'status'> }): boolean =>
  whole.status !== 'in_process';

export type HostCounts = Readonly<Report['counts']>;

const COUNTED_AS: Readonly<Record<Exclude<PhaseGroup, 'ended'>, 'pending' | 'preparing' | 'in_flight'>> = {
  waiting: 'pending',
  preparing: 'preparing',
  in_flight: 'in_flight',
};

/** How many hosts are how far, as the service counts them. */
export function countsOf(hosts: readonly HostProgress[]): HostCounts {
  const counts = { pending: 0, preparing: 0, in_flight: 0, done: 0, failed: 0, skipped: 0 };
  for (const host of hosts) {
    const { state } = host;
    const part = partOf(host);
    if (part !== 'ended') counts[COUNTED_AS[part]] += 1;
    else if (state === 'done' || state === 'failed' || state === 'skipped') counts[state] += 1;
  }
  return { total: hosts.length, ...counts };
}

export interface Tally {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly left: number;
}

export function tallyOf({ hosts }: Pick<HostsProgress, 'hosts'>): Tally {
  const { total, done, failed, skipped } = countsOf(hosts.list);
  return { total, done, failed, skipped, left: total - done - failed - skipped };
}
