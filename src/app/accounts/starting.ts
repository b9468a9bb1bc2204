import { Refusal } from '../../domain/errors.ts';

/** The answer while the first account does not exist yet: no password can be right or wrong. */
export const STARTING = new Refusal(
  'starting',
  'the service is starting and has no account yet; try again in a moment',
  { retryAfterS: 1 },
);
