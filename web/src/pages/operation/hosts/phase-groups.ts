import type { HostProgress } from '#sdk/host-progress.ts';
import type { HostState } from '#vocabulary';
import { statusText } from '../../../ui/format/text.ts';

/** States with the same colour. */
export const PHASE_GROUPS = [
  'waiting',
  'preparing',
  'draining',
  'applying',
  'rebooting',
  'verifying',
  'unreachable',
  'done',
  'failed',
  'skipped',
] as const;
export type PhaseGroup = (typeof PHASE_GROUPS)[number];

const GROUP_OF_STATE: Readonly<Record<HostState, PhaseGroup>> = {
  pending: 'waiting',
  preflight: 'preparing',
  staging: 'preparing',
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

export const phaseGroupOf = (state: HostState): PhaseGroup => GROUP_OF_STATE[state];

/** Colour alone must not distinguish the groups. */
export const PHASE_ICONS: Readonly<Record<PhaseGroup, string>> = {
  waiting: '',
  preparing: '·',
  draining: '↓',
  applying: '↑',
  rebooting: '↻',
  verifying: '?',
  unreachable: '!',
  done: '✓',
  failed: '✕',
  skipped: '–',
};

export function countByGroup(hosts: readonly HostProgress[]): Readonly<Record<PhaseGroup, number>> {
  const counts = Object.fromEntries(PHASE_GROUPS.map(group => [group, 0])) as Record<PhaseGroup, number>;
  for (const { state } of hosts) counts[GROUP_OF_STATE[state]] += 1;
  return counts;
}

export const formatHostState = ({ state, isUnchanged }: HostProgress): string =>
  state === 'done' && isUnchanged ? 'done (no changes)' : statusText(state);

export const hostLabel = (host: HostProgress): string =>
  `${host.address}, ${formatHostState(host)}, attempt ${host.attempt}`;

export interface HostFilter {
  readonly group: PhaseGroup | undefined;
  /** Part of an address or of a problem. */
  readonly text: string;
}

export function filterHosts(hosts: readonly HostProgress[], { group, text }: HostFilter): readonly HostProgress[] {
  const query = text.trim().toLowerCase();
  if (group === undefined && query === '') return hosts;
  return hosts.filter(
    ({ address, state, problem }) =>
      (group === undefined || phaseGroupOf(state) === group) &&
      (address.includes(query) || problem.toLowerCase().includes(query)),
  );
}
