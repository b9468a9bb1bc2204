// A table of any length: only the rows that are seen exist. The browser's own scrolling, roles and counts for whoever hears it, and arrow
// keys that go from row to row.

import { useRouter } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { memo, useRef } from 'react';
import { nextRow } from './row-navigation.ts';
import styles from './virtual-table.module.css';

export interface VirtualColumn<Row> {
  readonly title: string;
  /** In the words of grid-template-columns. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  readonly header?: ReactNode;
  readonly align?: 'end';
  /** The rows are in the order of this column. */
  readonly sorted?: 'ascending' | 'descending' | undefined;
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly VirtualColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** What the arrow keys and Enter reach in a row. */
  readonly linkSelector?: string;
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

/** Rows that stay while others come by are not made anew. */
const VirtualRow = memo(PlainRow) as typeof PlainRow;

export function VirtualTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  linkSelector = 'a',
}: VirtualTableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    // Keys are given below: by a function of its own it would measure every row anew at each scroll.
  });
  const template = columns.map(({ width }) => width).join(' ');

  const focusRow = (index: number) => {
    virtualizer.scrollToIndex(index);
    requestAnimationFrame(() =>
      frame.current?.querySelector<HTMLElement>(`[data-index="${index}"] ${linkSelector}`)?.focus(),
    );
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const current = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'];
    const visible = Math.floor((frame.current?.clientHeight ?? 0) / ROW_PX) - 1;
    const next =
      current === undefined
        ? undefined
        : nextRow(event.key, Number(current), { count: rows.length, visible });
    if (next === undefined) return;
    event.preventDefault();
    focusRow(next);
  };

  return (
    <div
      ref={frame}
      className={styles.frame}
      // Not higher than what is in it, with room for the bar that scrolls sideways.
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

/** A link in a row of a long table: the router's own looks at the address bar in each of them, at each scroll. */
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
