import { searchText, searchWord } from '../../ui/words/search-text.ts';
import type { Paint } from './hosts/host-paint.ts';
import { PAINTS } from './hosts/host-paint.ts';

/** How its hosts are shown. */
export const VIEWS = ['grid', 'list', 'timeline'] as const;
export type View = (typeof VIEWS)[number];

/** Which host of an operation is looked at, and how all of them are shown. */
export interface OperationSearch {
  readonly host?: string;
  readonly view?: View;
  /** Only those that are so far stand out. */
  readonly show?: Paint;
}

export function readOperationSearch(search: Record<string, unknown>): OperationSearch {
  const host = searchText(search, 'host');
  const view = searchWord(search, 'view', VIEWS);
  const show = searchWord(search, 'show', PAINTS);
  return {
    ...(host !== undefined && { host }),
    ...(view !== undefined && { view }),
    ...(show !== undefined && { show }),
  };
}
