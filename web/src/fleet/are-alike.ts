import type { HostRow } from './fleet.ts';

/**
 * Whether nothing that matters has become of any host. An event leaves all other rows the very same objects, so that this takes next to no
 * time, whatever `isAlike` looks at.
 */
export const areAlike = (
  some: readonly HostRow[],
  others: readonly HostRow[],
  isAlike: (one: HostRow, other: HostRow) => boolean,
): boolean =>
  some.length === others.length &&
  some.every((row, place) => {
    const other = others[place];
    return other === row || (other !== undefined && isAlike(row, other));
  });
