// A table of any length that renders only the visible rows. It uses native scrolling, ARIA roles and counts for screen
// readers, and arrow keys to move between rows.

import { useRouter } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { memo, useRef } from 'react';
import { nextRow } from './row-navigation.ts';
import styles from './virtual-table.module.css';

export interface VirtualColumn<Row> {
  readonly title: string;
  /** A track size of grid-template-columns. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  readonly header?: ReactNode;
  readonly align?: 'end';
  readonly sorted?: 'ascending' | 'descending' | undefined;
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly VirtualColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

const ROW_PX = 36;
const OVERSCAN = 3;
const SCROLLBAR_PX = 18;

interface VirtualRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly VirtualColumn<Row>[];
  readonly template: string;
  readonly index: number;
  readonly startPx: number;
}

const PlainRow = <Row,>({ row, columns, template, index, startPx }: VirtualRowProps<Row>) => (
  <div
    role="row"
    data-index={index}
    aria-rowindex={index + 2}
    className={styles.row}
    style={{ height: ROW_PX, gridTemplateColumns: template, transform: `translateY(${startPx}px)` }}
  >
    {columns.map(({ title, cell, align }) => (
      <div role="cell" key={title} className={align && styles[align]}>
        {cell(row)}
      </div>
    ))}
  </div>
);

/** Avoids rendering unchanged rows again while scrolling. */
const VirtualRow = memo(PlainRow) as typeof PlainRow;

export function VirtualTable<Row>({ label, columns, rows, rowKey }: VirtualTableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    // No getItemKey: with it the virtualizer would measure all rows again on every scroll.
  });
  const template = columns.map(({ width }) => width).join(' ');

  const focusRow = (index: number) => {
    virtualizer.scrollToIndex(index);
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus());
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const current = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'];
    const visible = Math.floor((frame.current?.clientHeight ?? 0) / ROW_PX) - 1;
    const next =
      current === undefined ? undefined : nextRow(event.key, Number(current), { count: rows.length, visible });
    if (next === undefined) return;
    event.preventDefault();
    focusRow(next);
  };

  return (
    <div
      ref={frame}
      className={styles.frame}
      // Not higher than its content, with space for the horizontal scrollbar.
      style={{ maxHeight: (rows.length + 1) * ROW_PX + SCROLLBAR_PX }}
      onKeyDown={onKeyDown}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className={styles.table}>
        <div role="rowgroup" className={styles.head}>
          <div
            role="row"
            aria-rowindex={1}
            className={styles.row}
            style={{ height: ROW_PX, gridTemplateColumns: template }}
          >
            {columns.map(({ title, header, align, sorted }) => (
              <div role="columnheader" key={title} className={align && styles[align]} aria-sort={sorted}>
                {header ?? title}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <VirtualRow
                key={rowKey(row)}
                row={row}
                columns={columns}
                template={template}
                index={index}
                startPx={start}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** For rows of a long table. The Link component of the router reads the location in every row on every scroll. */
export function RowLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const router = useRouter();
  return (
    <a
      href={href}
      onClick={event => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        router.history.push(href);
      }}
    >
      {children}
    </a>
  );
}
