import { Refusal } from '../domain/errors.ts';

/** What a caller says of the record it wants to change: any that exists, or one of these revisions. */
export type IfMatch = '*' | readonly string[];

const matches = (ifMatch: IfMatch, revision: string) => ifMatch === '*' || ifMatch.includes(revision);

/** Refuses when the caller's idea of the record is not the record that is there. */
export function preconditionProblem(ifMatch: IfMatch | undefined, current: { revision: string } | undefined) {
  if (ifMatch === undefined || (current !== undefined && matches(ifMatch, current.revision)))
    return undefined;
  return new Refusal(
    'precondition_failed',
    current === undefined
      ? 'the record does not exist'
      : 'the record has changed since it was read; read it again and send its new ETag',
  );
}
