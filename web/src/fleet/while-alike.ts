import type { HostRow } from './fleet.ts';

type IsAlike = (one: HostRow, other: HostRow) => boolean;

/** An event leaves all other rows the very same objects, so that this takes next to no time, whatever `isAlike` looks at. */
const areAlike = (some: readonly HostRow[], others: readonly HostRow[], isAlike: IsAlike): boolean =>
  some.length === others.length &&
  some.every((row, place) => {
    const other = others[place];
    return other === row || (other !== undefined && isAlike(row, other));
  });

/** What is made of hosts, made anew only when something that matters has become of one of them. */
export function whileAlike<Made>(
  isAlike: IsAlike,
  make: (rows: readonly HostRow[]) => Made,
): (rows: readonly HostRow[]) => Made {
  let kept: { readonly rows: readonly HostRow[]; readonly made: Made } | undefined;
  return rows => {
    const made = kept && areAlike(rows, kept.rows, isAlike) ? kept.made : make(rows);
    kept = { rows, made };
    return made;
  };
}
