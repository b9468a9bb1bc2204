import { TransportFailure } from '../../domain/transport-failure.ts';
import { harmless } from '../../lib/text/harmless.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import type { Limits } from './transport.ts';

const CALLED_OFF = new TransportFailure('unreachable', 'aborted');

/** Something that is asked of a host: answered once, by whatever comes first. */
export class Attempt<Answer> {
  readonly #resolve: (answer: Answer | TransportFailure) => void;
  readonly #onceOver: (() => void)[] = [];
  readonly #mayProceed: () => boolean;
  isOver = false;

  private constructor(
    resolve: (answer: Answer | TransportFailure) => void,
    { mayProceed = () => true }: Limits,
  ) {
    this.#resolve = resolve;
    this.#mayProceed = mayProceed;
  }

  /**
   * Ends it at the limit of time or when the signal calls it off. What is answered at once sets no timer. What cannot even be begun is
   * a failure like others.
   */
  static within<Answer>(
    clock: AlarmClock,
    limits: Limits,
    begin: (attempt: Attempt<Answer>) => void,
  ): Promise<Answer | TransportFailure> {
    const { timeoutMs, signal } = limits;
    const { promise, resolve } = Promise.withResolvers<Answer | TransportFailure>();
    const attempt = new Attempt<Answer>(resolve, limits);
    const callOff = () => attempt.settle(CALLED_OFF);
    if (signal.aborted) callOff();
    signal.addEventListener('abort', callOff);
    attempt.onceOver(() => signal.removeEventListener('abort', callOff));
    attempt.proceed(() => begin(attempt));
    if (attempt.isOver) return promise;
    const stopTimer = clock.after(timeoutMs, () =>
      attempt.settle(new TransportFailure('timed_out', `no response within ${timeoutMs / 1000} s`)),
    );
    attempt.onceOver(stopTimer);
    return promise;
  }

  /** Asked right before something is sent: nothing may be any more when it is over, or when this server has lost what allows it to. */
  mayProceed(): boolean {
    if (!this.isOver && !this.#mayProceed()) this.settle(CALLED_OFF);
    return !this.isOver;
  }

  /** Does the next part of it, if it may. */
  proceed(part: () => void): void {
    if (!this.mayProceed()) return;
    try {
      part();
    } catch (error) {
      const detail = `the command could not be started: ${harmless(String(error))}`;
      this.settle(new TransportFailure('unreachable', detail));
    }
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
