import type { Argv, Question } from '../../domain/command.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import { ANSWER, OPEN_FOLDER } from './answer-script.ts';
import { BOOT_GUARD } from './guards.ts';
import type { RebootMark } from './mark.ts';
import { markNameOf } from './mark.ts';
import { readWord } from './read-word.ts';
import { scriptArguments } from './script-arguments.ts';

const ANSWERS = ['taken', 'begun', 'other_boot'] as const;
/** `taken`: no reboot comes under this mark any more. `begun`: one was sent before. */
export type TakeAnswer = (typeof ANSWERS)[number];

// A marker without a word is that of one who has stopped half way; whoever links the word has it.
const SCRIPT = `LC_ALL=C
boot=$2
folder=${JOBS_FOLDER}/$1
file=$folder.$$
${ANSWER}
${BOOT_GUARD}
check_boot
${OPEN_FOLDER}
printf 'taken\\n' >"$file.word" || answer unclear
mkdir -m 0700 "$folder" || [ -d "$folder" ] || answer unclear
ln "$file.word" "$folder/by"
read -r by <"$folder/by" || answer unclear
answer "$by"`;

const PREFIX: Argv = ['sh', '-c', SCRIPT, 'sh'];

/** Asked as root, before a host is left alone that a reboot may still be on its way to. It may be repeated. */
export const takeMark = (mark: RebootMark): Question<TakeAnswer> => ({
  argv: [...PREFIX, markNameOf(mark), mark.bootId],
  read: ran => readWord(ran, ANSWERS),
});

export interface TakenMark {
  readonly name: string;
  readonly bootId: string;
}

/** What such a command takes; `undefined` for every other command. */
export function takenBy(argv: Argv): TakenMark | undefined {
  const [name, bootId] = scriptArguments(PREFIX, argv) ?? [];
  return name === undefined || bootId === undefined ? undefined : { name, bootId };
}
