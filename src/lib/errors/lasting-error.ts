import { PlainError } from './plain-error.ts';

/** One that stays as it is until a person mends it: to try again, or to start again, does not help. */
export class LastingError extends PlainError {}
