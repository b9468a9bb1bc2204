interface Rows {
  readonly count: number;
  /** How many are seen at once. */
  readonly seen: number;
}

/** The row that a key leads to; `undefined`: it leads nowhere. */
export function rowAfterKey(key: string, at: number, { count, seen }: Rows): number | undefined {
  const rows: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + Math.max(1, seen),
    PageUp: at - Math.max(1, seen),
    Home: 0,
    End: count - 1,
  };
  const row = rows[key];
  return row === undefined ? undefined : Math.min(count - 1, Math.max(0, row));
}
