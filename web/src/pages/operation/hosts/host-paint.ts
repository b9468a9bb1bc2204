import type { HostProgress } from '#client/host-progress.ts';
import type { HostState } from '#vocabulary';
import { statusWords } from '../../../ui/words/status-words.ts';

/** In what colour a host is painted: states that mean the same to whoever looks from afar have one. */
export const PAINTS = [
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
export type Paint = (typeof PAINTS)[number];

const PAINT_OF: Readonly<Record<HostState, Paint>> = {
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

export const paintOf = (state: HostState): Paint => PAINT_OF[state];

/** Not only colours tell them apart. */
export const SIGNS: Readonly<Record<Paint, string>> = {
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

export function countPaints(hosts: readonly HostProgress[]): Readonly<Record<Paint, number>> {
  const counts = Object.fromEntries(PAINTS.map(paint => [paint, 0])) as Record<Paint, number>;
  for (const { state } of hosts) counts[PAINT_OF[state]] += 1;
  return counts;
}

/** The state in words; of one that is done, that there was nothing to do. */
export const stateWords = ({ state, isAlreadyThere }: HostProgress): string =>
  state === 'done' && isAlreadyThere ? 'done (no changes)' : statusWords(state);

/** What a host is called for whoever hears it, or points at it. */
export const labelOf = (host: HostProgress): string =>
  `${host.address}, ${stateWords(host)}, attempt ${host.attempt}`;
