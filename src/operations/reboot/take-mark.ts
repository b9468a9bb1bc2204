import type { Argv, Question } from '../../domain/command.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import { OPEN_FOLDER, WRITE_FILE } from '../run-folder.ts';
import type { ScriptError } from '../script-error.ts';
import { ANSWER } from './answer-script.ts';
import { BOOT_GUARD } from './guards.ts';
import type { RebootMark } from './mark.ts';
import { markNameOf, SPARE_MARKER } from './mark.ts';
import { readWord } from './read-word.ts';
import { scriptArguments } from './script-arguments.ts';

const ANSWERS = ['blocked', 'started', 'other_boot'] as const;
/** `blocked`: no reboot comes under this mark any more. `started`: one was sent before. */
export type TakeAnswer = (typeof ANSWERS)[number];

// A marker without a word is that of a sender that stopped half way; the script that links the word has it. An existing word is answered
// before anything is written, so that an unwritable /run does not hide it. Only if /run cannot be written is the spare marker created.
const SCRIPT = `LC_ALL=C
export LC_ALL
boot=$2
folder=${JOBS_FOLDER}/$1
file=$folder.$$
spare=${SPARE_MARKER}$1
${ANSWER}
${BOOT_GUARD}
${OPEN_FOLDER}
${WRITE_FILE}
answer_word() {
  [ -e "$folder/owner" ] && read -r owner <"$folder/owner" && answer "$owner"
}
take_marker() {
  open_folder
  write_file "$file.word" blocked
  error=$(mkdir -m 0700 "$folder" 2>&1) || [ -d "$folder" ] || fail write_file "$error"
  error=$(ln "$file.word" "$folder/owner" 2>&1) || [ -e "$folder/owner" ] || fail write_file "$error"
}
check_boot
answer_word
error=$(take_marker)
answer_word
if mkdir -m 0700 "$spare" || [ -d "$spare" ]; then
  answer_word
  answer blocked
fi
printf '%s\\n' "$error"
exit 1`;

const PREFIX: Argv = ['sh', '-c', SCRIPT, 'sh'];

/** Asked as root, before a host is left alone that a reboot may still be on its way to. It may be repeated. */
export const takeMark = (mark: RebootMark): Question<TakeAnswer | ScriptError> => ({
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
