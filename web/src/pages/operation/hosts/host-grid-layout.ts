interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
}

interface Grid {
  readonly count: number;
  readonly columns: number;
}

const PAGE_ROWS = 8;

function targetIndex({ key, ctrlKey }: KeyPress, index: number, { count, columns }: Grid): number | undefined {
  const rowStart = index - (index % columns);
  if (key === 'ArrowRight') return index + 1;
  if (key === 'ArrowLeft') return index - 1;
  if (key === 'ArrowDown') return index + columns < count ? index + columns : index;
  if (key === 'ArrowUp') return index >= columns ? index - columns : index;
  if (key === 'Home') return ctrlKey ? 0 : rowStart;
  if (key === 'End') return ctrlKey ? count - 1 : rowStart + columns - 1;
  if (key === 'PageDown') return index + PAGE_ROWS * columns;
  if (key === 'PageUp') return index - PAGE_ROWS * columns;
  return undefined;
}

/** Returns undefined if the key does not move the focus. */
export function nextCell(press: KeyPress, index: number, grid: Grid): number | undefined {
  const next = targetIndex(press, index, grid);
  return next === undefined ? undefined : Math.min(grid.count - 1, Math.max(0, next));
}

/** Pixels. */
interface CellSize {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
  /** The cell has space for the address and the state. */
  readonly hasText: boolean;
}

const TILE: CellSize = { width: 138, height: 46, gap: 6, hasText: true };
const CELL: CellSize = { width: 24, height: 24, gap: 3, hasText: false };
const DOT: CellSize = { width: 16, height: 16, gap: 2, hasText: false };

const MAX_TILES = 80;
const MAX_CELLS = 2500;

/** Cells shrink as the number of hosts grows. */
export const cellSize = (count: number): CellSize => (count <= MAX_TILES ? TILE : count <= MAX_CELLS ? CELL : DOT);

export const countColumns = (widthPx: number, { width, gap }: CellSize): number =>
  Math.max(1, Math.floor((widthPx + gap) / (width + gap)));
