import { RequestRefused } from '#client/client.ts';

/** The service does not know us. Its status depends on whom it is compatible with; the code does not. */
export const isUnknownCaller = (error: unknown): boolean =>
  error instanceof RequestRefused && error.problem.code === 'unauthorized';
