interface Rows {
  readonly count: number;
  readonly visible: number;
}

/** Returns undefined if the key does not move the focus. */
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
