/** How large a cell is, in pixels. */
export interface CellSize {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
  /** There is room for the address and the state. */
  readonly hasWords: boolean;
}

const TILE: CellSize = { width: 138, height: 46, gap: 6, hasWords: true };
const CELL: CellSize = { width: 24, height: 24, gap: 3, hasWords: false };
const DOT: CellSize = { width: 16, height: 16, gap: 2, hasWords: false };

const MOST_TILES = 80;
const MOST_CELLS = 2500;

/** The more hosts, the smaller each. */
export const cellSize = (count: number): CellSize =>
  count <= MOST_TILES ? TILE : count <= MOST_CELLS ? CELL : DOT;

export const columnsIn = (widthPx: number, { width, gap }: CellSize): number =>
  Math.max(1, Math.floor((widthPx + gap) / (width + gap)));
