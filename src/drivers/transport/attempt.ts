import { TransportFailure } from '../../domain/transport-failure.ts';
import type { AlarmClock } from '../../lib/clock.ts';
import type { Limits } from './transport.ts';

export const CALLED_OFF = new TransportFailure('unreachable', 'it was called off');

/** Something that is asked of a host: answered once, by whatever comes first. */
export class Attempt<Answer> {
  readonly #resolve: (answer: Answer | TransportFailure) => void;
  readonly #onceOver: (() => void)[] = [];
  isOver = false;

  private constructor(resolve: (answer: Answer | TransportFailure) => void) {
    this.#resolve = resolve;
  }

  /** Ends it at the limit of time or when the signal calls it off. What is answered at once sets no timer. */
  static within<Answer>(
    clock: AlarmClock,
    { timeoutMs, signal, mayProceed = () => true }: Limits,
    begin: (attempt: Attempt<Answer>) => void,
  ): Promise<Answer | TransportFailure> {
    const { promise, resolve } = Promise.withResolvers<Answer | TransportFailure>();
    const attempt = new Attempt<Answer>(resolve);
    const callOff = () => attempt.settle(CALLED_OFF);
    if (signal.aborted || !mayProceed()) callOff();
    else begin(attempt);
    if (attempt.isOver) return promise;
    const stopTimer = clock.after(timeoutMs, () =>
      attempt.settle(new TransportFailure('timed_out', `no answer within ${timeoutMs / 1000} s`)),
    );
    signal.addEventListener('abort', callOff);
    attempt.onceOver(stopTimer);
    attempt.onceOver(() => signal.removeEventListener('abort', callOff));
    return promise;
  }

  onceOver(callback: () => void): void {
    if (this.isOver) callback();
    else this.#onceOver.push(callback);
  }

  settle(answer: Answer | TransportFailure): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const callback of this.#onceOver) callback();
    this.#resolve(answer);
  }
}
