import type { Argv, Question } from '../../domain/command.ts';
import type { ScriptError } from '../script-error.ts';
import { guardedScript } from './guarded-script.ts';
import { REBOOT_GUARDS } from './guards.ts';
import type { RebootMark } from './mark.ts';
import { markNameOf } from './mark.ts';
import { readWord } from './read-word.ts';
import { scriptArguments } from './script-arguments.ts';

const ANSWERS = ['started', 'other_boot', 'marker_exists', 'too_late'] as const;
/** `started`: it reboots in a moment, by this very command. All others, and an error, reboot nothing. */
export type SendAnswer = (typeof ANSWERS)[number];

export interface SendOptions {
  /** It reboots only while the host has been up for less than this. */
  readonly deadlineS: number;
  /** A command that reboots by itself; `null`: the usual one. */
  readonly by: Argv | null;
}

const PREFIX: Argv = ['sh', '-c', guardedScript(REBOOT_GUARDS), 'sh'];

/** The command itself, of what is known by now. */
export const rebootCommand = (
  { name, bootId, deadline }: { readonly name: string; readonly bootId: string; readonly deadline: string },
  by: Argv | null,
): Argv => [...PREFIX, name, bootId, deadline, ...(by ?? [])];

/** Asked as root. Whatever is answered, or nothing: a look says what came of it. */
export function sendReboot(
  mark: RebootMark,
  { deadlineS, by }: SendOptions,
): Question<SendAnswer | ScriptError> {
  if (!Number.isSafeInteger(deadlineS)) throw new Error(`${deadlineS} is not a whole number of seconds`);
  const { bootId } = mark;
  const argv = rebootCommand({ name: markNameOf(mark), bootId, deadline: String(deadlineS) }, by);
  return { argv, read: ran => readWord(ran, ANSWERS) };
}

export interface SentReboot extends SendOptions {
  readonly name: string;
  readonly bootId: string;
}

/** What such a command sends; `undefined` for every other command. */
export function sentBy(argv: Argv): SentReboot | undefined {
  const [name, bootId, deadlineS, program, ...args] = scriptArguments(PREFIX, argv) ?? [];
  if (name === undefined || bootId === undefined || deadlineS === undefined) return undefined;
  return {
    name,
    bootId,
    deadlineS: Number(deadlineS),
    by: program === undefined ? null : [program, ...args],
  };
}
