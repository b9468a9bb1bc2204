import { useMemo, useRef, useState } from 'react';
import { displayName } from '#sdk/host-progress.ts';
import type { VirtualColumn } from '../ui/tables/virtual-table.tsx';
import styles from './host-selection.module.css';
import type { HostRow } from './host-table.ts';
import { EMPTY_SELECTION, toggle, toggleAll } from './selection.ts';

export interface SelectionControls {
  readonly selected: ReadonlySet<string>;
  readonly isAllSelected: boolean;
  readonly onToggle: (address: string, isRange: boolean) => void;
  readonly onToggleAll: (isOn: boolean) => void;
}

/** Returns the same `controls` object until the selection changes. */
export function useSelection(visible: readonly { readonly address: string }[]) {
  const [selection, setSelection] = useState(EMPTY_SELECTION);
  const latest = useRef(visible);
  latest.current = visible;
  const { selected } = selection;

  const select = (addresses: readonly string[]) => setSelection({ selected: new Set(addresses), anchor: undefined });
  const isAllSelected = useMemo(
    () =>
      selected.size >= visible.length && visible.length > 0 && visible.every(({ address }) => selected.has(address)),
    [selected, visible],
  );
  const controls = useMemo(
    (): SelectionControls => ({
      selected,
      isAllSelected,
      onToggle: (address, isRange) => setSelection(previous => toggle(previous, address, latest.current, isRange)),
      onToggleAll: isOn => setSelection(previous => toggleAll(previous, latest.current, isOn)),
    }),
    [selected, isAllSelected],
  );
  return { selected, controls, select };
}

const isWithShift = (event: Event) => event instanceof MouseEvent && event.shiftKey;

export const selectColumn = ({
  selected,
  isAllSelected,
  onToggle,
  onToggleAll,
}: SelectionControls): VirtualColumn<HostRow> => ({
  title: 'Select',
  width: '1.25rem',
  header: (
    <input
      type="checkbox"
      className={styles.check}
      aria-label="Select all visible hosts"
      checked={isAllSelected}
      onChange={event => onToggleAll(event.currentTarget.checked)}
    />
  ),
  cell: ({ address, hostname }) => (
    <input
      type="checkbox"
      className={styles.check}
      aria-label={`Select ${displayName({ address, hostname })}`}
      checked={selected.has(address)}
      onChange={event => onToggle(address, isWithShift(event.nativeEvent))}
    />
  ),
});
