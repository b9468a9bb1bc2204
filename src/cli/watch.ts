// The same again and again, as things change, until somebody presses Ctrl-C. In a terminal it stays in its place; in a pipe each new
// state is printed once. What must hold: a server that is away for a while ends nothing.

import { stripVTControlCharacters } from 'node:util';
import { isPassing } from '../client/is-passing.ts';
import { harmless } from '../lib/text/harmless.ts';
import { plural } from '../lib/text/plural.ts';
import { sleep } from '../lib/time/sleep.ts';
import { NO_SERVER_RESPONDS } from './follow/silence.ts';
import { Printer } from './output/printer.ts';
import { Screen } from './output/screen.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

const EVERY_MS = 2000;

export interface WatchOptions {
  /** What is watched, as it was typed. */
  readonly title: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly draw: (session: Session) => Promise<void>;
}

interface View {
  show(): Promise<void>;
  /** Shows that no server responds. */
  showSilence(): void;
  end(): void;
}

/** What is drawn as of a time, as text. */
async function textOf(session: Session, draw: WatchOptions['draw'], nowMs: number): Promise<string> {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const { columns, clock } = session.terminal;
  const terminal: Terminal = Object.create(session.terminal, {
    ...{ write: { value: write }, tell: { value: write } },
    clock: { value: { ...clock, now: () => nowMs } },
    // Behind a letter in the last column the cursor stays on it, and what erases the rest of the line would take it away.
    columns: { value: columns - 1 },
  });
  await draw({ ...session, terminal, print: new Printer(terminal, session.print.format) });
  return text;
}

/** Text that is too long goes on in the next line; it has no colours then. */
function fold(line: string, width: number): readonly string[] {
  const letters = [...stripVTControlCharacters(line)];
  if (letters.length <= width) return [line];
  const count = Math.ceil(letters.length / width);
  return Array.from({ length: count }, (_, at) => letters.slice(at * width, (at + 1) * width).join(''));
}

class InPlace implements View {
  readonly #session: Session;
  readonly #options: WatchOptions;
  readonly #screen: Screen;
  #text = '';

  constructor(session: Session, options: WatchOptions) {
    [this.#session, this.#options, this.#screen] = [session, options, new Screen(session.terminal)];
  }

  async show(): Promise<void> {
    this.#text = await textOf(this.#session, this.#options.draw, this.#session.terminal.clock.now());
    this.#draw('Ctrl-C stops');
  }

  showSilence(): void {
    this.#draw(NO_SERVER_RESPONDS);
  }

  end(): void {
    this.#screen.end();
  }

  #draw(aside: string): void {
    const { columns, rows } = this.#session.terminal;
    const head = harmless(`${this.#options.title} (${aside})`);
    const body = this.#text.split('\n').slice(0, -1);
    const lines = [head, '', ...body].flatMap(line => fold(line, columns - 1));
    // The cursor is in the line below.
    const room = Math.max(1, rows - 1);
    const left = lines.length - room;
    this.#screen.draw(left > 0 ? [...lines.slice(0, room - 1), `… ${plural(left + 1, 'more line')}`] : lines);
  }
}

class OneByOne implements View {
  readonly #session: Session;
  readonly #draw: WatchOptions['draw'];
  #shown: { readonly text: string; readonly atMs: number } | undefined;
  #isSilent = false;

  constructor(session: Session, { draw }: WatchOptions) {
    [this.#session, this.#draw] = [session, draw];
  }

  async show(): Promise<void> {
    const { terminal } = this.#session;
    // That time goes on is no change: it is compared as of the time of what is shown.
    const isSame =
      this.#shown && (await textOf(this.#session, this.#draw, this.#shown.atMs)) === this.#shown.text;
    this.#isSilent = false;
    if (isSame) return;
    const atMs = terminal.clock.now();
    const text = await textOf(this.#session, this.#draw, atMs);
    terminal.write(this.#shown === undefined ? text : `\n${text}`);
    this.#shown = { text, atMs };
  }

  showSilence(): void {
    if (!this.#isSilent) this.#session.terminal.tell(`hostler: ${NO_SERVER_RESPONDS}\n`);
    this.#isSilent = true;
  }

  end(): void {}
}

export async function watch(session: Session, options: WatchOptions): Promise<void> {
  const { terminal } = session;
  const { signal } = options;
  const view = terminal.canMove ? new InPlace(session, options) : new OneByOne(session, options);
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        await view.show();
      } catch (error) {
        if (signal.aborted) return;
        // Where nobody has answered yet the address may be wrong.
        if (isFirst || !isPassing(error)) throw error;
        view.showSilence();
      }
      await sleep(terminal.clock, EVERY_MS, signal);
    }
  } finally {
    view.end();
  }
}
