import { failedError, usageError } from '../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

export const promptYesNo = async (terminal: Terminal, question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await terminal.prompt(`${question} [y/N] `)).trim());

/** Asks before an irreversible action. A script must use --yes. */
export async function confirm(terminal: Terminal, question: string, isConfirmed: boolean | undefined): Promise<void> {
  if (isConfirmed) return;
  if (!terminal.canPrompt) throw usageError(`${question} Confirm with --yes (no terminal to prompt on)`);
  if (!(await promptYesNo(terminal, question))) throw failedError('cancelled, nothing was changed');
}

export interface SecretPrompt {
  /** For example "password of ann". */
  readonly label: string;
  readonly stdinFlag: string;
  readonly readsStdin: boolean;
  /** Prompts twice to detect typing errors. */
  readonly needsConfirmation?: boolean;
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const stripLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** Reads from stdin or from a prompt without echo, never from an argument, which other users can read. */
export async function readSecret(terminal: Terminal, options: SecretPrompt): Promise<string> {
  const { label, stdinFlag, readsStdin, needsConfirmation = false } = options;
  if (readsStdin) {
    const secret = stripLineEnd(await terminal.readStdin());
    if (secret === '') throw usageError(`stdin is empty: ${stdinFlag} reads the ${label} from stdin`);
    return secret;
  }
  if (!terminal.canPrompt) throw usageError(`no terminal to prompt for the ${label}. Pipe it in with ${stdinFlag}`);
  const secret = await terminal.prompt(`${capitalize(label)}: `, { isSecret: true });
  if (secret === '') throw usageError(`the ${label} must not be empty. Nothing was changed`);
  if (needsConfirmation && (await terminal.prompt('Repeat: ', { isSecret: true })) !== secret)
    throw usageError('the two entries are different. Nothing was changed');
  return secret;
}
