import type { AppError } from '../../domain/errors.ts';

/** Carries a Refusal where Fastify supports only exceptions: in its parsers, validators and hooks. */
export class Refused extends Error {
  readonly refusal: AppError;

  constructor(refusal: AppError) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}
