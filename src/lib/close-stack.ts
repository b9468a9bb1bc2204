type Close = () => void | Promise<void>;

/**
 * What was opened, and how it is closed. Each part is added as soon as it is open, before the next one is opened: so a failure in between leaves
 * nothing open.
 */
export class CloseStack {
  readonly #closers: Close[] = [];
  readonly #onFailure: (error: unknown) => void;

  /** `onFailure` gets what a part throws while it is closed. The others are closed all the same. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(close: Close): void {
    this.#closers.push(close);
  }

  /** Closes the parts one after the other, the newest first. */
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await this.#attempt(close);
  }

  /** Closes all parts at the same time. */
  async closeTogether(): Promise<void> {
    await Promise.all(this.#closers.splice(0).map(close => this.#attempt(close)));
  }

  async #attempt(close: Close): Promise<void> {
    try {
      await close();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
