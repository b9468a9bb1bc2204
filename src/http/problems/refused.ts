import type { Refusal } from '../../domain/errors.ts';

/** A Refusal where Fastify takes only exceptions: in its parsers, validators and hooks. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}
