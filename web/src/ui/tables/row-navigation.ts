interface Rows {
  readonly count: number;
  /** How many are seen at once. */
  readonly visible: number;
}

/** The row that a key leads to; `undefined`: it leads nowhere. */
export function nextRow(key: string, current: number, { count, visible }: Rows): number | undefined {
  const rows: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + Math.max(1, visible),
    PageUp: current - Math.max(1, visible),
    Home: 0,
    End: count - 1,
  };
  const row = rows[key];
  return row === undefined ? undefined : Math.min(count - 1, Math.max(0, row));
}
