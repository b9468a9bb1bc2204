import { AppError } from '../../domain/errors.ts';

/** The answer while the first account does not exist yet: no password can be right or wrong. */
export const STARTING = new AppError(
  'starting',
  'the server is starting, and its first account does not exist yet; retry shortly',
  { retryAfterS: 1 },
);
