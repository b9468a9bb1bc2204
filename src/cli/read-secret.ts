import { usageProblem } from './cli-problem.ts';
import type { Terminal } from './terminal.ts';

export interface SecretWish {
  /** What it is, as in "password of ann". */
  readonly what: string;
  /** The flag that says it is on the standard input. */
  readonly flag: string;
  readonly isOnInput: boolean;
  /** Nobody could tell that it was mistyped. */
  readonly isNew?: boolean;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What files and pipes end with is not part of a secret. */
export const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** From the standard input, or from somebody who types it unseen. Never from an argument, which others on the machine can read. */
export async function readSecret(terminal: Terminal, wish: SecretWish): Promise<string> {
  const { what, flag, isOnInput, isNew = false } = wish;
  if (isOnInput) {
    const secret = withoutLineEnd(await terminal.readInput());
    if (secret === '') throw usageProblem(`stdin is empty: ${flag} reads the ${what} from stdin`);
    return secret;
  }
  if (!terminal.canAsk) throw usageProblem(`no terminal to prompt for the ${what}. Pipe it in with ${flag}`);
  const secret = await terminal.ask(`${capital(what)}: `, { isSecret: true });
  if (secret === '') throw usageProblem(`the ${what} must not be empty. Nothing was changed`);
  if (isNew && (await terminal.ask('Repeat: ', { isSecret: true })) !== secret)
    throw usageProblem('the two entries are different. Nothing was changed');
  return secret;
}
