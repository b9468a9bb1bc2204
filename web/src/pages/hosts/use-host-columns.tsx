import { useMemo } from 'react';
import type { HostRow } from './fleet.ts';
import type { HostColumn } from './host-columns.tsx';
import { HOST_COLUMNS } from './host-columns.tsx';
import styles from './hosts.module.css';
import type { SortWord } from './search.ts';
import { SORTS } from './search.ts';
import { SortHeader, sortedBy } from './sort-header.tsx';

interface Choosing {
  readonly chosen: ReadonlySet<string>;
  readonly areAll: boolean;
  readonly press: (address: string, isRange: boolean) => void;
  readonly pressAll: (isOn: boolean) => void;
}

const isWithShift = (event: Event) => event instanceof MouseEvent && event.shiftKey;

const selectColumn = ({ chosen, areAll, press, pressAll }: Choosing): HostColumn => ({
  title: 'Select',
  width: '1.25rem',
  header: (
    <input
      type="checkbox"
      className={styles.check}
      aria-label="Select all hosts that are shown"
      checked={areAll}
      onChange={event => pressAll(event.currentTarget.checked)}
    />
  ),
  cell: ({ address }: HostRow) => (
    <input
      type="checkbox"
      className={styles.check}
      aria-label={`Select ${address}`}
      checked={chosen.has(address)}
      onChange={event => press(address, isWithShift(event.nativeEvent))}
    />
  ),
});

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
