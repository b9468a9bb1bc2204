import type { Terminal } from './terminal.ts';

const ANEW = '\r\u001b[K';

/** How far something has come that takes long: one line that is written over in a terminal; elsewhere a line for each thing that was done. */
export class ProgressLine {
  readonly #terminal: Pick<Terminal, 'isHeard' | 'columns' | 'tell'>;
  #isShown = false;

  constructor(terminal: Pick<Terminal, 'isHeard' | 'columns' | 'tell'>) {
    this.#terminal = terminal;
  }

  /** `happened` is what was done; left out: only `soFar` has changed. */
  tell({ soFar, happened }: { readonly soFar: string; readonly happened?: string }): void {
    const { isHeard, columns } = this.#terminal;
    if (!isHeard) {
      if (happened !== undefined) this.#terminal.tell(`${happened}\n`);
      return;
    }
    // A line that fills the terminal would go on in the next.
    this.#terminal.tell(`${ANEW}${soFar.slice(0, columns - 1)}`);
    this.#isShown = true;
  }

  /** Takes the line away, so that something else can be said. */
  clear(): void {
    if (this.#isShown) this.#terminal.tell(ANEW);
    this.#isShown = false;
  }
}
