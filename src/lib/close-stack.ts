type Close = () => void | Promise<void>;

/**
 * Closes resources. Each is added as soon as it is open, before the next one is opened, so a failure in between leaves
 * nothing open.
 */
export class CloseStack {
  readonly #closers: Close[] = [];
  readonly #onFailure: (error: unknown) => void;

  /** `onFailure` gets the error of a resource that cannot be closed. The others are still closed. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(close: Close): void {
    this.#closers.push(close);
  }

  /** Closes the resources in sequence, the newest first. */
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await this.#attempt(close);
  }

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
