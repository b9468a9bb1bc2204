import { AppError } from '../domain/errors.ts';

/** What a caller says of the record it wants to change: any that exists, or one of these revisions. */
export type ExpectedRevision = '*' | readonly string[];

/** The error of a request without a revision for a record, such as `the network lab`, that exists with different content. */
export const differentContent = (record: string): AppError =>
  new AppError(
    'conflict',
    `${record} exists with different content; to replace it, send If-Match with its ETag`,
  );

/** Refuses when the caller's idea of the record is not the record that is there. Without an idea there is nothing to refuse. */
export function revisionProblem(
  expected: ExpectedRevision | undefined,
  current: { readonly revision: string } | undefined,
): AppError | undefined {
  if (expected === undefined) return undefined;
  if (current === undefined) return new AppError('precondition_failed', 'the record does not exist');
  if (expected === '*' || expected.includes(current.revision)) return undefined;
  return new AppError(
    'precondition_failed',
    'the record has changed since it was read; read it again and send its new ETag',
  );
}
