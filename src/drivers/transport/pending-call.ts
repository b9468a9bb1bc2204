import type { CommandResult } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import type { CallLimits } from './transport.ts';

const ABORTED = new TransportFailure('unreachable', 'aborted');

/** A call to a host that settles once, with the first result. */
export class PendingCall<Result> {
  readonly #resolve: (result: Result | TransportFailure) => void;
  readonly #settledCallbacks: (() => void)[] = [];
  readonly #mayProceed: () => boolean;
  isSettled = false;

  private constructor(resolve: (result: Result | TransportFailure) => void, { mayProceed = () => true }: CallLimits) {
    this.#resolve = resolve;
    this.#mayProceed = mayProceed;
  }

  /** Settles on timeout or abort. An exception in `begin` becomes a failure. */
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

  /** Checked before each send. Returns false after the call has settled, or if this server has lost its lease. */
  mayProceed(): boolean {
    if (!this.isSettled && !this.#mayProceed()) this.settle(ABORTED);
    return !this.isSettled;
  }

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

/** At least 1 ms, so that the call times out instead of not starting. */
export const remainingLimits = (limits: CallLimits, elapsedMs: number): CallLimits => ({
  ...limits,
  timeoutMs: Math.max(1, limits.timeoutMs - elapsedMs),
});

/** Commands of one connection. If one fails or the connection is closed, all fail. */
export class ConnectionCommands {
  readonly #clock: TimerClock;
  readonly #onClosed: () => void;
  readonly #running = new Set<PendingCall<CommandResult>>();
  #closeFailure: TransportFailure | undefined;

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

  /** Running and later commands fail with `unreachable`. Idempotent: the first reason is kept. */
  closeAll(reason: string): void {
    if (this.#closeFailure) return;
    this.#closeFailure = new TransportFailure('unreachable', reason);
    for (const call of [...this.#running]) call.settle(this.#closeFailure);
    this.#onClosed();
  }
}
