import type { VirtualColumn } from '../ui/tables/virtual-table.tsx';
import type { HostRow } from './fleet.ts';
import styles from './select-column.module.css';
import type { Choosing } from './use-selection.ts';

const isWithShift = (event: Event) => event instanceof MouseEvent && event.shiftKey;

/** A box at each host, and one for all. */
export const selectColumn = ({ chosen, areAll, press, pressAll }: Choosing): VirtualColumn<HostRow> => ({
  title: 'Select',
  width: '1.25rem',
  header: (
    <input
      type="checkbox"
      className={styles.check}
      aria-label="Select all visible hosts"
      checked={areAll}
      onChange={event => pressAll(event.currentTarget.checked)}
    />
  ),
  cell: ({ address }) => (
    <input
      type="checkbox"
      className={styles.check}
      aria-label={`Select ${address}`}
      checked={chosen.has(address)}
      onChange={event => press(address, isWithShift(event.nativeEvent))}
    />
  ),
});
