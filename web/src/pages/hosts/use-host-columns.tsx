import { useMemo } from 'react';
import { selectColumn } from '../../fleet/select-column.tsx';
import type { Choosing } from '../../fleet/use-selection.ts';
import type { HostColumn } from './host-columns.tsx';
import { HOST_COLUMNS } from './host-columns.tsx';
import type { SortWord } from './search.ts';
import { SORTS } from './search.ts';
import { SortHeader, sortedBy } from './sort-header.tsx';

/** The columns, the same ones until something about them changes. `choosing`: left out for whoever may do nothing with hosts. */
export function useHostColumns(sort: SortWord, choosing: Choosing | undefined): readonly HostColumn[] {
  const sortable = useMemo(
    () =>
      Object.entries(HOST_COLUMNS).map(([name, column]): HostColumn => {
        const by = SORTS.find(each => each === name);
        if (by === undefined) return column;
        const header = <SortHeader by={by} title={column.title} now={sort} />;
        return { ...column, header, sorted: sortedBy(by, sort) };
      }),
    [sort],
  );
  return useMemo(() => (choosing ? [selectColumn(choosing), ...sortable] : sortable), [choosing, sortable]);
}
