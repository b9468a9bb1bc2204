import type { DeprecationNotice } from '../client/deprecation-notice.ts';
import type { Terminal } from './terminal.ts';

const sentenceOf = ({ row, since, sunset }: DeprecationNotice): string =>
  [
    `the service says that ${row.method} ${row.path}, as this command calls it, is deprecated`,
    since === undefined ? '' : ` since ${since}`,
    sunset === undefined ? '' : `, and may be gone from ${sunset} on`,
    '; a newer hostler may not need it',
  ].join('');

/**
 * Tells somebody at a terminal, when the command is done, what it used that is deprecated: each call once. Scripts are told only when
 * they ask, since what is new on standard error may be a failure to them.
 */
export class DeprecationNotices {
  readonly #sentences = new Set<string>();

  readonly hear = (notice: DeprecationNotice): void => void this.#sentences.add(sentenceOf(notice));

  tell(terminal: Terminal, isAskedFor: boolean): void {
    if (!terminal.isHeard && !isAskedFor) return;
    for (const sentence of this.#sentences) terminal.tell(`hostler: ${sentence}\n`);
  }
}
