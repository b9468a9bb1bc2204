interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
}

interface Grid {
  readonly count: number;
  readonly columns: number;
}

const ROWS_OF_A_PAGE = 8;

function wanted({ key, ctrlKey }: Press, place: number, { count, columns }: Grid): number | undefined {
  const rowStart = place - (place % columns);
  if (key === 'ArrowRight') return place + 1;
  if (key === 'ArrowLeft') return place - 1;
  if (key === 'ArrowDown') return place + columns < count ? place + columns : place;
  if (key === 'ArrowUp') return place >= columns ? place - columns : place;
  if (key === 'Home') return ctrlKey ? 0 : rowStart;
  if (key === 'End') return ctrlKey ? count - 1 : rowStart + columns - 1;
  if (key === 'PageDown') return place + ROWS_OF_A_PAGE * columns;
  if (key === 'PageUp') return place - ROWS_OF_A_PAGE * columns;
  return undefined;
}

/** Where a key leads from a place in a grid; `undefined`: it is not for the grid. */
export function placeAfter(press: Press, place: number, grid: Grid): number | undefined {
  const next = wanted(press, place, grid);
  return next === undefined ? undefined : Math.min(grid.count - 1, Math.max(0, next));
}
