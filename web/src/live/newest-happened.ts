import type { Happened } from './happened.ts';

/** Something that happened, with its number and time. */
export interface Dated extends Happened {
  readonly id: number;
  readonly at: string;
}

/** What was told live and what was read of the time before as one list: newest first, each once. */
export function newestHappened(
  told: readonly Dated[],
  read: readonly Dated[],
  most: number,
): readonly Dated[] {
  const byId = new Map([...read, ...told].map(each => [each.id, each]));
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, most);
}
