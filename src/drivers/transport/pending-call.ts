import type { CommandResult } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import type { CallLimits } from './transport.ts';

const ABORTED = new TransportFailure('unreachable', 'aborted');

/** Something that is asked of a host: answered once, by whatever comes first. */
export class PendingCall<Result> {
  readonly #resolve: (result: Result | TransportFailure) => void;
  readonly #settledCallbacks: (() => void)[] = [];
  readonly #mayProceed: () => boolean;
  isSettled = false;

  private constructor(
    resolve: (result: Result | TransportFailure) => void,
    { mayProceed = () => true }: CallLimits,
  ) {
    this.#resolve = resolve;
    this.#mayProceed = mayProceed;
  }

  /**
   * Ends it at the limit of time or when the signal calls it off. What is answered at once sets no timer. What cannot even be begun is
   * a failure like others.
   */
  static start<Result>(
    clock: TimerClock,
    limits: CallLimits,
    begin: (call: PendingCall<Result>) => void,
  ): Promise<Result | TransportFailure> {
    const { timeoutMs, signal } = limits;
    const { promise, resolve } = Promise.withResolvers<Result | TransportFailure>();
    const call = new PendingCall<Result>(resolve, limits);
    const abort = () => call.settle(ABORTED);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    call.onSettled(() => signal.removeEventListener('abort', abort));
    call.runIfAllowed(() => begin(call));
    if (call.isSettled) return promise;
    const stopTimer = clock.setTimer(timeoutMs, () =>
      call.settle(new TransportFailure('timed_out', `no response within ${timeoutMs / 1000} s`)),
    );
    call.onSettled(stopTimer);
    return promise;
  }

  /** Asked right before something is sent: nothing may be any more when it is over, or when this server has lost what allows it to. */
  mayProceed(): boolean {
    if (!this.isSettled && !this.#mayProceed()) this.settle(ABORTED);
    return !this.isSettled;
  }

  /** Does the next part of it, if it may. */
  runIfAllowed(action: () => void): void {
    if (!this.mayProceed()) return;
    try {
      action();
    } catch (error) {
      const detail = `the command could not be started: ${sanitizeLine(String(error))}`;
      this.settle(new TransportFailure('unreachable', detail));
    }
  }

  onSettled(callback: () => void): void {
    if (this.isSettled) callback();
    else this.#settledCallbacks.push(callback);
  }

  settle(result: Result | TransportFailure): void {
    if (this.isSettled) return;
    this.isSettled = true;
    for (const callback of this.#settledCallbacks) callback();
    this.#resolve(result);
  }
}

/** What is left of the limits after so long; never nothing, so that it ends by itself and not before it began. */
export const remainingLimits = (limits: CallLimits, elapsedMs: number): CallLimits => ({
  ...limits,
  timeoutMs: Math.max(1, limits.timeoutMs - elapsedMs),
});

/** The commands that run on one connection. They end together: when one fails, or when it is closed. */
export class ConnectionCommands {
  readonly #clock: TimerClock;
  readonly #onClosed: () => void;
  readonly #running = new Set<PendingCall<CommandResult>>();
  #closeFailure: TransportFailure | undefined;

  /** `letGo` is called once, when the connection is of no use any more. */
  constructor(clock: TimerClock, onClosed: () => void) {
    this.#clock = clock;
    this.#onClosed = onClosed;
  }

  async run(
    limits: CallLimits,
    begin: (call: PendingCall<CommandResult>) => void,
  ): Promise<CommandResult | TransportFailure> {
    if (this.#closeFailure) return this.#closeFailure;
    const result = await PendingCall.start<CommandResult>(this.#clock, limits, call => {
      this.#running.add(call);
      call.onSettled(() => this.#running.delete(call));
      begin(call);
    });
    if (result instanceof TransportFailure) this.failAll(result);
    return result;
  }

  failAll({ detail }: TransportFailure): void {
    this.closeAll(`the connection was lost: ${detail}`);
  }

  /** What still runs is answered `unreachable`, and all that comes. May be repeated: the first reason stays. */
  closeAll(reason: string): void {
    if (this.#closeFailure) return;
    this.#closeFailure = new TransportFailure('unreachable', reason);
    for (const call of [...this.#running]) call.settle(this.#closeFailure);
    this.#onClosed();
  }
}
