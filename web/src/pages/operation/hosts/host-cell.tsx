import { memo } from 'react';
import type { HostProgress } from '#client/host-progress.ts';
import styles from './host-grid.module.css';
import { labelOf, paintOf, SIGNS, stateWords } from './host-paint.ts';
import painted from './paint.module.css';

interface HostCellProps {
  readonly host: HostProgress;
  readonly place: number;
  readonly hasWords: boolean;
  readonly isSelected: boolean;
  readonly isDim: boolean;
  /** The one that Tab reaches. */
  readonly isReached: boolean;
}

/** A host in the grid. A thousand of them may change in a second, so one that did not is not drawn anew. */
export const HostCell = memo(function HostCell({
  host,
  place,
  hasWords,
  isSelected,
  isDim,
  isReached,
}: HostCellProps) {
  const paint = paintOf(host.state);
  const label = labelOf(host);
  return (
    <div
      role="gridcell"
      className={`${painted.painted} ${hasWords ? styles.tile : styles.cell} ${isDim ? styles.dim : ''}`}
      data-place={place}
      data-paint={paint}
      data-sign={SIGNS[paint]}
      tabIndex={isReached ? 0 : -1}
      aria-label={label}
      aria-selected={isSelected}
      title={host.problem === '' ? label : `${label}: ${host.problem}`}
    >
      {hasWords && (
        <>
          <span className={styles.address}>{host.address}</span>{' '}
          <span className={styles.state}>{stateWords(host)}</span>
        </>
      )}
    </div>
  );
});
