// The progress of an operation, from reports and later events. All functions are pure. Invariants: an event
// that a report already includes changes nothing, a report does not undo a later event, and a batch of events
// copies the list of hosts only once, so that 100,000 hosts are cheap.

import type { Static } from 'typebox';
import type { OperationReport } from '../contract/routes/operations.ts';
import type { StreamEvent } from './event-stream.ts';
import type { HostProgress } from './host-progress.ts';
import { applyHostEvent, getPhaseGroup, OrderedHosts, toHostProgress } from './host-progress.ts';

type Report = Static<typeof OperationReport>;

export type OperationOverview = Omit<Report, 'hosts' | 'policy' | 'counts' | 'budget'>;
/** Why an operation starts no further hosts. */
export type OperationWait = Pick<OperationOverview, 'state' | 'paused_by' | 'problem'>;

export interface HostsProgress {
  readonly hosts: OrderedHosts;
  readonly hostsPosition: number;
}

export interface OperationProgress extends HostsProgress {
  readonly operation: OperationOverview;
  readonly position: number;
  /** Since when no server responds; `undefined` while connected. */
  readonly disconnectedSinceMs: number | undefined;
  /** How far the server clock is ahead of the local clock. All other times are server times. */
  readonly clockOffsetMs: number;
}

export interface OperationResponse {
  readonly report: Report;
  readonly position: number;
  readonly clockOffsetMs: number;
}

const toOverview = ({ hosts: _1, policy: _2, counts: _3, budget: _4, ...overview }: Report): OperationOverview =>
  overview;

/** Creates the progress from all pages of a report; `position` is that of the first page. */
export const createHostsProgress = (hosts: Report['hosts'], position: number): HostsProgress => ({
  hosts: OrderedHosts.of(hosts.map(toHostProgress)),
  hostsPosition: position,
});

export const createProgress = ({ report, position, clockOffsetMs }: OperationResponse): OperationProgress => ({
  operation: toOverview(report),
  position,
  disconnectedSinceMs: undefined,
  clockOffsetMs,
  ...createHostsProgress(report.hosts, position),
});

export const applyOperation = (
  progress: OperationProgress,
  { report, position }: OperationResponse,
): OperationProgress =>
  position < progress.position ? progress : { ...progress, operation: toOverview(report), position };

export function applyFullReport(progress: OperationProgress, response: OperationResponse): OperationProgress {
  const hosts = response.report.hosts.map(host => {
    const previous = progress.hosts.get(host.address);
    return previous !== undefined && previous.lastEventId > response.position ? previous : toHostProgress(host);
  });
  return { ...applyOperation(progress, response), hosts: OrderedHosts.of(hosts), hostsPosition: response.position };
}

/** Applies host events; other events carry no progress. Returns the same object if nothing changes. */
export function applyEvents<P extends HostsProgress>(progress: P, events: readonly StreamEvent[]): P {
  const changed = new Map<string, HostProgress>();
  for (const event of events) {
    if (event.type !== 'operation.host' || event.host === null || event.id <= progress.hostsPosition) continue;
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

/** Counts the hosts by phase group, as the server does. */
export function countByPhaseGroup(hosts: readonly HostProgress[]): HostCounts {
  const counts = { pending: 0, preparing: 0, queued: 0, in_flight: 0, done: 0, failed: 0, skipped: 0 };
  for (const host of hosts) {
    const { state } = host;
    const group = getPhaseGroup(host);
    if (group === 'preparing' || group === 'in_flight') counts[group] += 1;
    else if (group === 'waiting') counts[state === 'queued' ? 'queued' : 'pending'] += 1;
    else if (state === 'done' || state === 'failed' || state === 'skipped') counts[state] += 1;
  }
  return { total: hosts.length, ...counts };
}

/** The hosts that the operation has not taken out of service, by phase. After its end, they are `not started`. */
export const waitingCounts = (
  { pending, preparing, queued }: HostCounts,
  hasOperationEnded: boolean,
): readonly (readonly [name: string, count: number])[] =>
  hasOperationEnded
    ? [['not started', pending + preparing + queued]]
    : [
        ['pending', pending],
        ['preparing', preparing],
        ['queued', queued],
      ];

export function countHosts({ hosts }: Pick<HostsProgress, 'hosts'>) {
  const { total, done, failed, skipped } = countByPhaseGroup(hosts.list);
  return { total, done, failed, skipped, remaining: total - done - failed - skipped };
}
