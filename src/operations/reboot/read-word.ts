import type { Ran } from '../../domain/command.ts';
import { ANSWER_BEGIN } from './mark.ts';

const LINE = new RegExp(`^${ANSWER_BEGIN} ([a-z_]+)\\n`, 'm');

/** The word that a script has answered, if it is one of these. */
export function readWord<Word extends string>({ stdout }: Ran, words: readonly Word[]): Word | undefined {
  const said = LINE.exec(Buffer.from(stdout).toString('latin1'))?.[1];
  return words.find(word => word === said);
}
