import type { HostProgress } from '#client/host-progress.ts';
import { isEnded } from '#client/host-progress.ts';

/** From when until when a picture over time is drawn. */
export interface GanttTimes {
  readonly fromMs: number;
  readonly toMs: number;
  /** It goes on until now, and grows. */
  readonly isGoing: boolean;
}

/** `clockMs`: now by the clock of the service. Of hosts that have all ended, the picture ends with the last. */
export function ganttTimes(
  hosts: readonly Pick<HostProgress, 'state' | 'sinceMs' | 'phases'>[],
  clockMs: number,
): GanttTimes {
  const isGoing = hosts.some(({ state }) => !isEnded(state));
  const lastMs = Math.max(...hosts.map(({ sinceMs = 0 }) => sinceMs));
  const toMs = isGoing ? Math.max(clockMs, lastMs) : lastMs;
  return { isGoing, toMs, fromMs: Math.min(toMs, ...hosts.map(({ phases }) => phases[0]?.atMs ?? toMs)) };
}
