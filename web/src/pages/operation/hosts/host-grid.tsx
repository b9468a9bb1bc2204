import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { KeyboardEvent, RefObject, SyntheticEvent } from 'react';
import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { HostProgress, OrderedHosts } from '#sdk/host-progress.ts';
import { displayName } from '#sdk/host-progress.ts';
import styles from './host-grid.module.css';
import { cellSize, countColumns, nextCell } from './host-grid-layout.ts';
import phaseStyles from './phase-groups.module.css';
import type { DisplayGroup } from './phase-groups.ts';
import { displayGroupOf, formatHostState, hostLabel, PHASE_ICONS } from './phase-groups.ts';

interface HostCellProps {
  readonly host: HostProgress;
  readonly index: number;
  readonly hasText: boolean;
  readonly hasEnded: boolean;
  readonly isSelected: boolean;
  readonly isDimmed: boolean;
  /** The cell in the tab order (roving tabindex). */
  readonly isFocusable: boolean;
}

/** Memoized: a thousand hosts can change per second. */
const HostCell = memo(function HostCell(props: HostCellProps) {
  const { host, index, hasText, hasEnded, isSelected, isDimmed, isFocusable } = props;
  const group = displayGroupOf(host.state);
  const label = hostLabel(host, hasEnded);
  return (
    <div
      role="gridcell"
      className={`${phaseStyles.phase} ${hasText ? styles.tile : styles.cell} ${isDimmed ? styles.dimmed : ''}`}
      data-index={index}
      data-phase-group={group}
      data-icon={PHASE_ICONS[group]}
      tabIndex={isFocusable ? 0 : -1}
      aria-label={label}
      aria-selected={isSelected}
      title={host.problem === '' ? label : `${label}: ${host.problem}`}
    >
      {hasText && (
        <>
          <span className={styles.name}>{displayName(host)}</span>{' '}
          <span className={styles.state}>{formatHostState(host, hasEnded)}</span>
        </>
      )}
    </div>
  );
});

/** Width of the content box in pixels. 0 before the element is mounted. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

// A grid of all hosts in rollout order. It renders only visible rows, so it scales to 100,000 hosts. Tab reaches one
// cell, arrow keys move between cells, Enter opens a host.

interface HostGridProps {
  readonly hosts: OrderedHosts;
  readonly hasEnded: boolean;
  /** Cells of other groups are dimmed. */
  readonly group: DisplayGroup | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (address: string) => void;
}

const OVERSCAN = 4;

function indexOfCell({ target }: SyntheticEvent): number | undefined {
  const cell = (target as HTMLElement).closest<HTMLElement>('[data-index]');
  return cell === null ? undefined : Number(cell.dataset['index']);
}

export function HostGrid({ hosts, hasEnded, group, selected, onSelect }: HostGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const size = cellSize(hosts.size);
  const columns = countColumns(useWidth(grid), size);
  const [focusedIndex, setFocusedIndex] = useState(() => hosts.indexOf(selected ?? '') ?? 0);
  const focusedRow = Math.floor(Math.min(focusedIndex, hosts.size - 1) / columns);
  const virtualizer = useVirtualizer({
    count: Math.ceil(hosts.size / columns),
    getScrollElement: () => frame.current,
    estimateSize: () => size.height + size.gap,
    overscan: OVERSCAN,
    // Keeps the focused row rendered when it is scrolled out of view.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => [
        ...new Set([...defaultRangeExtractor(range), focusedRow]),
      ],
      [focusedRow],
    ),
  });

  const focusOn = (index: number) =>
    frame.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
  // A new column count recreates the cells, so the focus must be restored.
  useLayoutEffect(() => {
    if (focusedIndex > 0) virtualizer.scrollToIndex(focusedRow);
    if (hasFocus.current && document.activeElement === document.body) focusOn(focusedIndex);
  }, [columns]);

  const moveTo = (index: number) => {
    setFocusedIndex(index);
    virtualizer.scrollToIndex(Math.floor(index / columns));
    requestAnimationFrame(() => focusOn(index));
  };
  const select = (index: number) => {
    const host = hosts.list[index];
    if (host !== undefined) onSelect(host.address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = indexOfCell(event);
    if (index === undefined) return;
    const isSelectKey = event.key === 'Enter' || event.key === ' ';
    const next = nextCell(event, index, { count: hosts.size, columns });
    if (!isSelectKey && next === undefined) return;
    event.preventDefault();
    if (isSelectKey) select(index);
    else if (next !== undefined) moveTo(next);
  };

  return (
    <div ref={frame} className={styles.frame}>
      <div
        ref={grid}
        role="grid"
        aria-label="Hosts in rollout order"
        aria-rowcount={Math.ceil(hosts.size / columns)}
        aria-colcount={columns}
        className={styles.grid}
        style={{ height: Math.max(0, virtualizer.getTotalSize() - size.gap) }}
        onKeyDown={onKeyDown}
        onClick={event => {
          const index = indexOfCell(event);
          if (index !== undefined) select(index);
        }}
        onFocus={event => {
          const index = indexOfCell(event);
          if (index !== undefined) setFocusedIndex(index);
          hasFocus.current = true;
        }}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget !== null) hasFocus.current = false;
        }}
      >
        {virtualizer.getVirtualItems().map(({ index: row, start }) => (
          <div
            key={row}
            role="row"
            aria-rowindex={row + 1}
            className={styles.row}
            style={{
              transform: `translateY(${start}px)`,
              height: size.height,
              gap: size.gap,
              gridTemplateColumns: `repeat(${columns}, ${size.hasText ? 'minmax(0, 1fr)' : `${size.width}px`})`,
            }}
          >
            {hosts.list.slice(row * columns, (row + 1) * columns).map((host, column) => (
              <HostCell
                key={host.address}
                host={host}
                index={row * columns + column}
                hasText={size.hasText}
                hasEnded={hasEnded}
                isSelected={host.address === selected}
                isDimmed={group !== undefined && displayGroupOf(host.state) !== group}
                isFocusable={row * columns + column === focusedIndex}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
