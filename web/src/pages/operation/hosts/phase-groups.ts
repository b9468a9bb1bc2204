import type { HostProgress, OrderedHosts } from '#sdk/host-progress.ts';
import { displayName, isNotStarted } from '#sdk/host-progress.ts';
import type { OperationHostState } from '#vocabulary';
import { statusText } from '../../../ui/format/text.ts';

/** States with the same colour. */
export const DISPLAY_GROUPS = [
  'pending',
  'preparing',
  'queued',
  'draining',
  'applying',
  'rebooting',
  'verifying',
  'unreachable',
  'done',
  'failed',
  'skipped',
] as const;
export type DisplayGroup = (typeof DISPLAY_GROUPS)[number];

const GROUP_OF_STATE: Readonly<Record<OperationHostState, DisplayGroup>> = {
  pending: 'pending',
  preflight: 'preparing',
  staging: 'preparing',
  queued: 'queued',
  cordoning: 'draining',
  draining: 'draining',
  applying: 'applying',
  armed: 'rebooting',
  rebooting: 'rebooting',
  verifying: 'verifying',
  uncordoning: 'verifying',
  unreachable: 'unreachable',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

export const displayGroupOf = (state: OperationHostState): DisplayGroup => GROUP_OF_STATE[state];

/** Colour alone must not distinguish the groups. */
export const PHASE_ICONS: Readonly<Record<DisplayGroup, string>> = {
  pending: '',
  preparing: '·',
  queued: '⋯',
  draining: '↓',
  applying: '↑',
  rebooting: '↻',
  verifying: '?',
  unreachable: '!',
  done: '✓',
  failed: '✕',
  skipped: '–',
};

export function countByGroup(hosts: readonly HostProgress[]): Readonly<Record<DisplayGroup, number>> {
  const counts = Object.fromEntries(DISPLAY_GROUPS.map(group => [group, 0])) as Record<DisplayGroup, number>;
  for (const { state } of hosts) counts[GROUP_OF_STATE[state]] += 1;
  return counts;
}

/** Shows a host that is not started as `pending`, without the phases and the problem of its preparation. */
export const clearWait = (host: HostProgress, hasEnded: boolean): HostProgress =>
  isNotStarted(host, hasEnded) ? { ...host, state: 'pending', problem: '', phases: [] } : host;

/** `clearWait` for all hosts. */
export function clearWaits(hosts: OrderedHosts, hasEnded: boolean): OrderedHosts {
  if (!hasEnded) return hosts;
  const notStarted = hosts.list.filter(host => isNotStarted(host, true));
  return hosts.with(new Map(notStarted.map(host => [host.address, clearWait(host, true)])));
}

/** For use inside a sentence. `hasEnded`: the operation starts no more hosts. */
export function formatHostState(host: HostProgress, hasEnded = false): string {
  if (host.state === 'done' && host.isUnchanged) return 'done (no changes)';
  return isNotStarted(host, hasEnded) ? 'not started' : statusText(host.state);
}

export const hostLabel = (host: HostProgress, hasEnded = false): string =>
  `${displayName(host)}, ${formatHostState(host, hasEnded)}, attempt ${host.attempt}`;

export interface HostFilter {
  readonly group: DisplayGroup | undefined;
  /** Part of a hostname, an address or a problem. */
  readonly text: string;
}

export function filterHosts(hosts: readonly HostProgress[], { group, text }: HostFilter): readonly HostProgress[] {
  const query = text.trim().toLowerCase();
  if (group === undefined && query === '') return hosts;
  return hosts.filter(
    ({ address, hostname, state, problem }) =>
      (group === undefined || displayGroupOf(state) === group) &&
      [hostname, address, problem].some(field => field.toLowerCase().includes(query)),
  );
}
