type Close = () => void | Promise<void>;

/** Add each resource as soon as it is open, so that a failure of the next one leaves nothing open. */
export class CloseStack {
  readonly #closers: Close[] = [];
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(close: Close): void {
    this.#closers.push(close);
  }

  /** In sequence, the newest first. */
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
