import { RequestRefused } from '#client/client.ts';

/** There is no such thing, or there is no more. */
export const isGone = (error: unknown): boolean => error instanceof RequestRefused && error.status === 404;

/** It is not what it was when it was read: somebody else was faster. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof RequestRefused && error.problem.code === 'precondition_failed';
