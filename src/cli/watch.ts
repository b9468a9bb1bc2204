// `--watch`: repeats a command until Ctrl-C. A terminal is updated in place; a pipe gets each new state once.
// Invariant: an unavailable server does not end the command.

import { stripVTControlCharacters } from 'node:util';
import { sanitizeLine } from '../lib/sanitize.ts';
import { formatCount } from '../lib/text.ts';
import { sleep } from '../lib/time/clock.ts';
import { isRetryable } from '../sdk/errors.ts';
import { NO_SERVER_RESPONDS } from './follow/render-progress.ts';
import type { Session } from './session.ts';
import { createScreen } from './terminal/screen.ts';
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
    writeOut: { value: write },
    writeErr: { value: write },
    clock: { value: { ...clock, now: () => nowMs } },
    // After a character in the last column the cursor stays on it, and erasing the rest of the line would delete it.
    columns: { value: columns - 1 },
  });
  await render({ ...session, terminal, printer: session.printer.withTerminal(terminal) });
  return text;
}

/** Wrapped lines lose their colours. */
function wrapLine(line: string, width: number): readonly string[] {
  const characters = [...stripVTControlCharacters(line)];
  if (characters.length <= width) return [line];
  const count = Math.ceil(characters.length / width);
  return Array.from({ length: count }, (_, index) => characters.slice(index * width, (index + 1) * width).join(''));
}

function createInPlaceView(session: Session, { title, render }: WatchOptions): View {
  const { terminal } = session;
  const screen = createScreen(terminal);
  let text = '';
  const draw = (note: string) => {
    const head = sanitizeLine(`${title} (${note})`);
    const body = text.split('\n').slice(0, -1);
    const lines = [head, '', ...body].flatMap(line => wrapLine(line, terminal.columns - 1));
    // One row is for the cursor.
    const maxLines = Math.max(1, terminal.rows - 1);
    const hiddenLines = lines.length - maxLines;
    screen.render(
      hiddenLines > 0 ? [...lines.slice(0, maxLines - 1), `… ${formatCount(hiddenLines + 1, 'more line')}`] : lines,
    );
  };
  return {
    async show() {
      text = await renderToString(session, render, terminal.clock.now());
      draw('Ctrl-C stops');
    },
    showDisconnected: () => draw(NO_SERVER_RESPONDS),
    close: () => screen.close(),
  };
}

function createAppendView(session: Session, { render }: WatchOptions): View {
  const { terminal } = session;
  let lastOutput: { readonly text: string; readonly atMs: number } | undefined;
  let isDisconnected = false;
  return {
    async show() {
      // Compares the output at the time of the previous output, so that elapsed times do not count as changes.
      const isSame = lastOutput && (await renderToString(session, render, lastOutput.atMs)) === lastOutput.text;
      isDisconnected = false;
      if (isSame) return;
      const atMs = terminal.clock.now();
      const text = await renderToString(session, render, atMs);
      terminal.writeOut(lastOutput === undefined ? text : `\n${text}`);
      lastOutput = { text, atMs };
    },
    showDisconnected() {
      if (!isDisconnected) terminal.writeErr(`hostler: ${NO_SERVER_RESPONDS}\n`);
      isDisconnected = true;
    },
    close() {},
  };
}

export async function watch(session: Session, options: WatchOptions): Promise<void> {
  const { terminal } = session;
  const { signal } = options;
  const view = terminal.supportsCursor ? createInPlaceView(session, options) : createAppendView(session, options);
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
