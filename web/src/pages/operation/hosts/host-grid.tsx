// Every host of an operation as a cell, in the order of the plan: a hundred thousand of them, since only the rows that are seen exist. One cell
// is reached by Tab, the others by the arrow keys; Enter looks at one.

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { KeyboardEvent, SyntheticEvent } from 'react';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { HostsInOrder } from '#client/hosts-in-order.ts';
import { placeAfter } from './grid-keys.ts';
import { cellSize, columnsIn } from './grid-size.ts';
import { HostCell } from './host-cell.tsx';
import styles from './host-grid.module.css';
import type { Paint } from './host-paint.ts';
import { paintOf } from './host-paint.ts';
import { useWidth } from './use-width.ts';

interface HostGridProps {
  readonly hosts: HostsInOrder;
  /** Those that are so far stand out. */
  readonly show: Paint | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (address: string) => void;
}

const OVERSCAN = 4;

function placeIn({ target }: SyntheticEvent): number | undefined {
  const cell = (target as HTMLElement).closest<HTMLElement>('[data-place]');
  return cell === null ? undefined : Number(cell.dataset['place']);
}

export function HostGrid({ hosts, show, selected, onSelect }: HostGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const size = cellSize(hosts.size);
  const columns = columnsIn(useWidth(inside), size);
  const [reached, setReached] = useState(() => hosts.placeOf(selected ?? '') ?? 0);
  const reachedRow = Math.floor(Math.min(reached, hosts.size - 1) / columns);
  const virtualizer = useVirtualizer({
    count: Math.ceil(hosts.size / columns),
    getScrollElement: () => frame.current,
    estimateSize: () => size.height + size.gap,
    overscan: OVERSCAN,
    // What has the focus stays, however far it is scrolled away.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => [
        ...new Set([...defaultRangeExtractor(range), reachedRow]),
      ],
      [reachedRow],
    ),
  });

  const focusOn = (place: number) =>
    frame.current?.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus({ preventScroll: true });
  // In other rows the cells are other elements, elsewhere: what had the focus has lost it.
  useLayoutEffect(() => {
    if (reached > 0) virtualizer.scrollToIndex(reachedRow);
    if (hasFocus.current && document.activeElement === document.body) focusOn(reached);
  }, [columns]);

  const goTo = (place: number) => {
    setReached(place);
    virtualizer.scrollToIndex(Math.floor(place / columns));
    requestAnimationFrame(() => focusOn(place));
  };
  const select = (place: number) => {
    const host = hosts.list[place];
    if (host !== undefined) onSelect(host.address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const place = placeIn(event);
    if (place === undefined) return;
    const isChoice = event.key === 'Enter' || event.key === ' ';
    const next = placeAfter(event, place, { count: hosts.size, columns });
    if (!isChoice && next === undefined) return;
    event.preventDefault();
    if (isChoice) select(place);
    else if (next !== undefined) goTo(next);
  };

  return (
    <div ref={frame} className={styles.frame}>
      <div
        ref={inside}
        role="grid"
        aria-label="Hosts in rollout order"
        aria-rowcount={Math.ceil(hosts.size / columns)}
        aria-colcount={columns}
        className={styles.grid}
        style={{ height: Math.max(0, virtualizer.getTotalSize() - size.gap) }}
        onKeyDown={onKeyDown}
        onClick={event => {
          const place = placeIn(event);
          if (place !== undefined) select(place);
        }}
        onFocus={event => {
          const place = placeIn(event);
          if (place !== undefined) setReached(place);
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
              gridTemplateColumns: `repeat(${columns}, ${size.hasWords ? 'minmax(0, 1fr)' : `${size.width}px`})`,
            }}
          >
            {hosts.list.slice(row * columns, (row + 1) * columns).map((host, column) => (
              <HostCell
                key={host.address}
                host={host}
                place={row * columns + column}
                hasWords={size.hasWords}
                isSelected={host.address === selected}
                isDim={show !== undefined && paintOf(host.state) !== show}
                isReached={row * columns + column === reached}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
