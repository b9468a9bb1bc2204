import type { ReactNode } from 'react';
import styles from './table.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** Tables with the same widths have the same column positions. For all columns or none. */
  readonly width?: string;
  /** Renders the cell as the row header. */
  readonly isName?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** A short table. `VirtualTable` is for long tables. */
export const Table = <Row,>({ label, columns, rows, rowKey }: TableProps<Row>) => (
  <div className={styles.frame} role="region" aria-label={label} tabIndex={0}>
    <table className={`${styles.table} ${columns.some(({ width }) => width !== undefined) ? styles.fixed : ''}`}>
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {columns.map(({ title, align, width }) => (
            <th key={title} scope="col" className={align && styles[align]} style={{ width }}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={rowKey(row)}>
            {columns.map(({ title, cell, align, isName }) =>
              isName ? (
                <th key={title} scope="row" className={styles.name}>
                  {cell(row)}
                </th>
              ) : (
                <td key={title} className={align && styles[align]}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
