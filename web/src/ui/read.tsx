import type { ReactNode } from 'react';
import { Loading } from './page.tsx';
import { ProblemBox } from './problem-box.tsx';

interface ReadProps<Data> {
  /** A query. */
  readonly of: { readonly data: Data | undefined; readonly error: unknown };
  /** What is read: `tokens`. */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/** What was read; until then that it is read, or why it cannot be. What is there stays when it cannot be read anew. */
export const Read = <Data,>({ of: { data, error }, what, children }: ReadProps<Data>) => (
  <>
    <ProblemBox problem={error} />
    {data !== undefined && children(data)}
    {data === undefined && (error === null || error === undefined) && <Loading what={what} />}
  </>
);
