import type { Happened } from './happened.ts';

/** Whose events; left out: all. */
export interface Concerned {
  readonly cluster?: string;
  readonly host?: string;
}

/** Something that happened, with its number and time: as it came, or as the audit log has it. */
export interface Told extends Happened {
  readonly id: number;
  readonly at: string;
}

/** So many are kept, and shown. */
export const MOST_TOLD = 500;

const concerns = ({ cluster, host }: Concerned, event: Told) =>
  (cluster === undefined || event.cluster === cluster) && (host === undefined || event.host === host);

/** The newest first, after more have come. */
export function withEvents(
  concerned: Concerned,
  told: readonly Told[],
  events: readonly Told[],
): readonly Told[] {
  const more = events.filter(event => concerns(concerned, event)).reverse();
  return more.length === 0 ? told : [...more, ...told].slice(0, MOST_TOLD);
}
