import { CloseStack } from '../../lib/close-stack.ts';
import type { Log } from '../../lib/log.ts';

/** Each component is added before the next one starts, so a failed start closes what has started. */
export class ShutdownSequence {
  /** Closed first and concurrently: components that serve requests, read events or run tasks. */
  readonly first: CloseStack;
  /** Closed afterwards, newest first: components that others depend on. */
  readonly last: CloseStack;
  readonly #log: Pick<Log, 'warn'>;

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
    this.first = this.createStack();
    this.last = this.createStack();
  }

  /** For components that are closed in sequence, as one entry of `first`. */
  createStack(): CloseStack {
    return new CloseStack(error => this.#log.warn({ err: error }, 'a component failed to close'));
  }

  async close(): Promise<void> {
    await this.first.closeTogether();
    await this.last.close();
  }
}
