// `--watch`: repeats a command until Ctrl-C. A terminal is updated in place; a pipe gets each new state once.
// Invariant: an unavailable server does not end the command.

import { stripVTControlCharacters } from 'node:util';
import { sanitizeLine } from '../lib/sanitize.ts';
import { pluralize } from '../lib/text.ts';
import { sleep } from '../lib/time/clock.ts';
import { isRetryable } from '../sdk/errors.ts';
import { NO_SERVER_RESPONDS } from './follow/render-progress.ts';
import { Printer } from './output/printer.ts';
import type { Session } from './session.ts';
import { Screen } from './terminal/screen.ts';
import type { Terminal } from './terminal/terminal.ts';

const REFRESH_INTERVAL_MS = 2000;

export interface WatchOptions {
  /** The command line of the watched command. */
  readonly title: string;
  readonly signal: AbortSignal;
  readonly render: (session: Session) => Promise<void>;
}

interface View {
  show(): Promise<void>;
  showDisconnected(): void;
  close(): void;
}

async function renderToString(session: Session, render: WatchOptions['render'], nowMs: number): Promise<string> {
  let text = '';
  const write = (chunk: string) => {
    text += chunk;
  };
  const { columns, clock } = session.terminal;
  const terminal: Terminal = Object.create(session.terminal, {
    ...{ writeOut: { value: write }, writeErr: { value: write } },
    clock: { value: { ...clock, now: () => nowMs } },
    // After a character in the last column the cursor stays on it, and erasing the rest of the line would
    // delete it.
    columns: { value: columns - 1 },
  });
  await render({ ...session, terminal, printer: new Printer(terminal, session.printer.format) });
  return text;
}

/** Wrapped lines lose their colours. */
function wrapLine(line: string, width: number): readonly string[] {
  const characters = [...stripVTControlCharacters(line)];
  if (characters.length <= width) return [line];
  const count = Math.ceil(characters.length / width);
  return Array.from({ length: count }, (_, index) => characters.slice(index * width, (index + 1) * width).join(''));
}

class InPlaceView implements View {
  readonly #session: Session;
  readonly #options: WatchOptions;
  readonly #screen: Screen;
  #text = '';

  constructor(session: Session, options: WatchOptions) {
    [this.#session, this.#options, this.#screen] = [session, options, new Screen(session.terminal)];
  }

  async show(): Promise<void> {
    this.#text = await renderToString(this.#session, this.#options.render, this.#session.terminal.clock.now());
    this.#render('Ctrl-C stops');
  }

  showDisconnected(): void {
    this.#render(NO_SERVER_RESPONDS);
  }

  close(): void {
    this.#screen.close();
  }

  #render(note: string): void {
    const { columns, rows } = this.#session.terminal;
    const head = sanitizeLine(`${this.#options.title} (${note})`);
    const body = this.#text.split('\n').slice(0, -1);
    const lines = [head, '', ...body].flatMap(line => wrapLine(line, columns - 1));
    // One row is for the cursor.
    const maxLines = Math.max(1, rows - 1);
    const hiddenLines = lines.length - maxLines;
    this.#screen.render(
      hiddenLines > 0 ? [...lines.slice(0, maxLines - 1), `… ${pluralize(hiddenLines + 1, 'more line')}`] : lines,
    );
  }
}

class AppendView implements View {
  readonly #session: Session;
  readonly #renderOutput: WatchOptions['render'];
  #lastOutput: { readonly text: string; readonly atMs: number } | undefined;
  #isDisconnected = false;

  constructor(session: Session, { render }: WatchOptions) {
    [this.#session, this.#renderOutput] = [session, render];
  }

  async show(): Promise<void> {
    const { terminal } = this.#session;
    // Compares with the output at the time of the previous output, so that elapsed times do not count as
    // changes.
    const isSame =
      this.#lastOutput &&
      (await renderToString(this.#session, this.#renderOutput, this.#lastOutput.atMs)) === this.#lastOutput.text;
    this.#isDisconnected = false;
    if (isSame) return;
    const atMs = terminal.clock.now();
    const text = await renderToString(this.#session, this.#renderOutput, atMs);
    terminal.writeOut(this.#lastOutput === undefined ? text : `\n${text}`);
    this.#lastOutput = { text, atMs };
  }

  showDisconnected(): void {
    if (!this.#isDisconnected) this.#session.terminal.writeErr(`hostler: ${NO_SERVER_RESPONDS}\n`);
    this.#isDisconnected = true;
  }

  close(): void {}
}

export async function watch(session: Session, options: WatchOptions): Promise<void> {
  const { terminal } = session;
  const { signal } = options;
  const view = terminal.supportsCursor ? new InPlaceView(session, options) : new AppendView(session, options);
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        await view.show();
      } catch (error) {
        if (signal.aborted) return;
        // If the first request fails, the server URL may be wrong.
        if (isFirst || !isRetryable(error)) throw error;
        view.showDisconnected();
      }
      await sleep(terminal.clock, REFRESH_INTERVAL_MS, signal);
    }
  } finally {
    view.close();
  }
}
