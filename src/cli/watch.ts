// The same table again and again, as things change. In a terminal it stays in its place; in a pipe each new state is printed once.

import { sleep } from '../lib/sleep.ts';
import { Printer } from './output/print.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

const EVERY_MS = 2000;
const CLEAR = '\u001b[H\u001b[2J';

/** A terminal that keeps what is written, to be shown at once. */
function draft(terminal: Terminal): { readonly terminal: Terminal; readonly text: () => string } {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  return { terminal: Object.assign(Object.create(terminal), { write, tell: write }), text: () => text };
}

/** Draws until somebody presses Ctrl-C. */
export async function watch(
  session: Session,
  title: string,
  draw: (session: Session) => Promise<void>,
): Promise<void> {
  const { terminal } = session;
  const over = new AbortController();
  const ignoreAgain = terminal.onInterrupt(() => over.abort());
  let before: string | undefined;
  try {
    while (!over.signal.aborted) {
      const page = draft(terminal);
      const print = new Printer(page.terminal, session.print.format);
      await draw({ ...session, print, terminal: page.terminal });
      const text = page.text();
      if (terminal.isInteractive) terminal.write(`${CLEAR}${title}  (Ctrl-C ends)\n\n${text}`);
      else if (text !== before) terminal.write(before === undefined ? text : `\n${text}`);
      before = text;
      await sleep(terminal.clock, EVERY_MS, over.signal);
    }
  } finally {
    ignoreAgain();
  }
}
