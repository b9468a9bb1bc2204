import { CloseStack } from '../../lib/close-stack.ts';
import type { Log } from '../../lib/log.ts';

/** How the parts of a service are closed, whether its start succeeds or fails. Each part is added before the next one is started. */
export class ShutdownSequence {
  /** Closed first, all at the same time: what serves requests, follows events and works on hosts. */
  readonly first: CloseStack;
  /** Closed after those, the newest first: what other parts need. */
  readonly last: CloseStack;
  readonly #log: Pick<Log, 'warn'>;

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
    this.first = this.createStack();
    this.last = this.createStack();
  }

  /** For parts that are closed one after the other, as one part of `first`. */
  createStack(): CloseStack {
    return new CloseStack(error => this.#log.warn({ err: error }, 'a component failed to close'));
  }

  async close(): Promise<void> {
    await this.first.closeTogether();
    await this.last.close();
  }
}
