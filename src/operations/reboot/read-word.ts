import type { Ran } from '../../domain/command.ts';
import type { ScriptError } from '../script-error.ts';
import { readScriptError } from '../script-error.ts';
import { ANSWER_BEGIN } from './mark.ts';

const LINE = new RegExp(`^${ANSWER_BEGIN} ([a-z_]+)\\n`, 'm');

/** The word that a script answered, if it is one of these, or the error that it reported. */
export function readWord<Word extends string>(
  ran: Pick<Ran, 'stdout'>,
  words: readonly Word[],
): Word | ScriptError | undefined {
  const answer = LINE.exec(Buffer.from(ran.stdout).toString('latin1'))?.[1];
  return words.find(word => word === answer) ?? readScriptError(ran);
}
