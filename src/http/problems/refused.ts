import type { Refusal } from '../../domain/errors.ts';

/** Carries a Refusal where Fastify supports only exceptions: in its parsers, validators and hooks. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}
