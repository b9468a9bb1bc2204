// Settings that had another name in a release before. It is understood beside the present one for at least 180 days, and the start warns of it.

import type { SettingKey } from './settings.ts';

export interface Renaming {
  readonly now: SettingKey;
  /** The day of the release that has renamed it, such as `2026-11-15`. */
  readonly since: string;
}

/** By the key that it had. */
export type Renamings = Readonly<Record<string, Renaming>>;

export const RENAMED: Renamings = {};

export interface PresentNames<Value> {
  readonly values: Readonly<Record<string, Value>>;
  /** A sentence for each name that nobody should use any more. */
  readonly oldNames: readonly string[];
}

/** Values by the present names of what they are for. Where both names are given, the present one counts. */
export function underPresentNames<Value>(
  given: Readonly<Record<string, Value>>,
  renamings: Renamings,
  { nameOf, toldAs = nameOf }: { nameOf: (key: string) => string; toldAs?: (key: string) => string },
): PresentNames<Value> {
  const values: Record<string, Value> = { ...given };
  const oldNames: string[] = [];
  for (const [old, { now, since }] of Object.entries(renamings)) {
    const value = given[nameOf(old)];
    if (value === undefined) continue;
    delete values[nameOf(old)];
    values[nameOf(now)] ??= value;
    oldNames.push(`${toldAs(old)}: is called ${toldAs(now)} since ${since}, and will be unknown; rename it`);
  }
  return { values, oldNames };
}
