import { useNavigate } from '@tanstack/react-router';
import type { Sort, SortWord } from './search.ts';
import styles from './sort-header.module.css';

interface SortHeaderProps {
  readonly by: Sort;
  readonly title: string;
  readonly now: SortWord;
}

/** How the list is sorted by a column now. */
export const sortedBy = (by: Sort, now: SortWord) =>
  now === by ? 'ascending' : now === `-${by}` ? 'descending' : undefined;

const ARROWS = { ascending: '↑', descending: '↓' } as const;

/** A press sorts by the column, another the other way round. */
export function SortHeader({ by, title, now }: SortHeaderProps) {
  const navigate = useNavigate({ from: '/hosts' });
  const sorted = sortedBy(by, now);
  const sort: SortWord = sorted === 'ascending' ? `-${by}` : by;
  return (
    <button
      type="button"
      className={`${styles.sort} ${sorted ? styles.sorted : ''}`}
      onClick={() => navigate({ search: before => ({ ...before, sort }), replace: true, resetScroll: false })}
    >
      {title}
      {sorted && <span aria-hidden="true">{ARROWS[sorted]}</span>}
    </button>
  );
}
