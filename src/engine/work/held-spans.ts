import type { Clock } from '../../lib/time/clock.ts';
import type { Span } from '../../lib/tracer.ts';

/** What has so much to tell is told in any case: memory is bounded. */
const MOST_HELD = 50;

/** Keeps back the ends of spans until it is known whether they are worth telling: a span that is not ended is never told. */
export class HeldSpans {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** `null`: nothing is kept back. */
  #ends: (() => void)[] | null = null;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  get isHolding(): boolean {
    return this.#ends !== null;
  }

  /** Begins to keep back. */
  hold(): void {
    this.#ends ??= [];
  }

  /** Tells what was kept back, with its times, and from now on everything at once. */
  tell(): void {
    const ends = this.#ends ?? [];
    this.#ends = null;
    for (const end of ends) end();
  }

  /** Forgets what was kept back. */
  drop(): void {
    this.#ends = null;
  }

  around(span: Span): Span {
    return {
      context: span.context,
      end: (how = {}) => {
        if (this.#ends === null) return span.end(how);
        const endedAtMs = how.endedAtMs ?? this.#clock.monotonicMs();
        this.#ends.push(() => span.end({ ...how, endedAtMs }));
        if (this.#ends.length > MOST_HELD) this.tell();
      },
    };
  }
}
