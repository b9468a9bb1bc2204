// How far an operation is, as whoever follows it has learned: by reading it, and by what happened since. Pure. What must hold: an event
// that a read has told of already changes nothing, no read takes back what a later event has told, and a hundred thousand hosts are no
// burden: events that come together cost one copy of the hosts.

import type { Static } from 'typebox';
import type { OperationReport } from '../contract/routes/operations.ts';
import type { PhaseGroup } from '../domain/vocabulary.ts';
import type { StreamEvent } from './event-stream.ts';
import type { HostProgress } from './host-progress.ts';
import { applyHostEvent, getPhaseGroup, OrderedHosts, toHostProgress } from './host-progress.ts';

type Report = Static<typeof OperationReport>;

/** What is told of the whole, without its hosts. */
export type OperationOverview = Omit<Report, 'hosts' | 'policy' | 'counts' | 'budget'>;

/** How far its hosts are. */
export interface HostsProgress {
  readonly hosts: OrderedHosts;
  /** The number of the newest event that the read of the hosts has seen. */
  readonly hostsPosition: number;
}

export interface OperationProgress extends HostsProgress {
  readonly operation: OperationOverview;
  /** The number of the newest event that the read of the whole has seen. */
  readonly position: number;
  /** Since when no server answers. */
  readonly disconnectedSinceMs: number | undefined;
  /** How far the clock of the service is ahead of the one here. All other times are by the clock of the service. */
  readonly clockOffsetMs: number;
}

/** What a request has answered. */
export interface OperationResponse {
  readonly report: Report;
  readonly position: number;
  readonly clockOffsetMs: number;
}

const toOverview = ({
  hosts: _1,
  policy: _2,
  counts: _3,
  budget: _4,
  ...overview
}: Report): OperationOverview => overview;

/** Hosts as they were read, in as many parts as it took; the position is that of the first. */
export const createHostsProgress = (hosts: Report['hosts'], position: number): HostsProgress => ({
  hosts: OrderedHosts.of(hosts.map(toHostProgress)),
  hostsPosition: position,
});

export const createProgress = ({
  report,
  position,
  clockOffsetMs,
}: OperationResponse): OperationProgress => ({
  ...{ operation: toOverview(report), position, disconnectedSinceMs: undefined, clockOffsetMs },
  ...createHostsProgress(report.hosts, position),
});

/** The whole was read anew; its hosts were not. */
export const applyOperation = (
  progress: OperationProgress,
  { report, position }: OperationResponse,
): OperationProgress =>
  position < progress.position ? progress : { ...progress, operation: toOverview(report), position };

/** All was read anew. */
export function applyFullReport(progress: OperationProgress, response: OperationResponse): OperationProgress {
  const hosts = response.report.hosts.map(host => {
    const previous = progress.hosts.get(host.address);
    return previous !== undefined && previous.lastEventId > response.position
      ? previous
      : toHostProgress(host);
  });
  return {
    ...applyOperation(progress, response),
    hosts: OrderedHosts.of(hosts),
    hostsPosition: response.position,
  };
}

/** What happened to its hosts; other events tell nothing that is not read. The same object where nothing changes. */
export function applyEvents<P extends HostsProgress>(progress: P, events: readonly StreamEvent[]): P {
  const changed = new Map<string, HostProgress>();
  for (const event of events) {
    if (event.type !== 'operation.host' || event.host === null || event.id <= progress.hostsPosition)
      continue;
    const previous = changed.get(event.host) ?? progress.hosts.get(event.host);
    const updated = previous && applyHostEvent(previous, event);
    if (updated !== undefined && updated !== previous) changed.set(event.host, updated);
  }
  return changed.size === 0 ? progress : { ...progress, hosts: progress.hosts.with(changed) };
}

export const setDisconnectedSince = (
  progress: OperationProgress,
  disconnectedSinceMs: number | undefined,
): OperationProgress =>
  progress.disconnectedSinceMs === disconnectedSinceMs ? progress : { ...progress, disconnectedSinceMs };

export const hasEnded = ({ operation }: { readonly operation: Pick<OperationOverview, 'status'> }): boolean =>
  operation.status !== 'in_process';

export type HostCounts = Readonly<Report['counts']>;

const COUNT_KEYS: Readonly<Record<Exclude<PhaseGroup, 'ended'>, 'pending' | 'preparing' | 'in_flight'>> = {
  waiting: 'pending',
  preparing: 'preparing',
  in_flight: 'in_flight',
};

/** How many hosts are how far, as the service counts them. */
export function countByPhaseGroup(hosts: readonly HostProgress[]): HostCounts {
  const counts = { pending: 0, preparing: 0, in_flight: 0, done: 0, failed: 0, skipped: 0 };
  for (const host of hosts) {
    const { state } = host;
    const group = getPhaseGroup(host);
    if (group !== 'ended') counts[COUNT_KEYS[group]] += 1;
    else if (state === 'done' || state === 'failed' || state === 'skipped') counts[state] += 1;
  }
  return { total: hosts.length, ...counts };
}

export interface HostTotals {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly remaining: number;
}

export function countHosts({ hosts }: Pick<HostsProgress, 'hosts'>): HostTotals {
  const { total, done, failed, skipped } = countByPhaseGroup(hosts.list);
  return { total, done, failed, skipped, remaining: total - done - failed - skipped };
}
