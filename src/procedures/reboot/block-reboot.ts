import type { Argv, HostQuery } from '../../domain/command.ts';
import { parseScriptArgs, scriptArgv } from '../../domain/command.ts';
import { JOBS_FOLDER } from '../jobs/job.ts';
import { CREATE_FOLDER, WRITE_FILE } from '../run-folder.ts';
import type { ScriptError } from '../script-error.ts';
import type { RebootId } from './reboot-guard.ts';
import { BOOT_GUARD, markerName, parseReply, REPLY_FUNCTIONS, SPARE_MARKER } from './reboot-guard.ts';

const REPLIES = ['blocked', 'started', 'other_boot'] as const;
/** `blocked`: no reboot with this id can start any more. `started`: a reboot was sent before. */
export type BlockReply = (typeof REPLIES)[number];

// A marker without owner belongs to a sender that stopped halfway; the script that links the owner file gets the
// marker. An existing owner is reported before anything is written, so that an unwritable /run does not hide it. The
// spare marker is created only if /run cannot be written.
const SCRIPT = `LC_ALL=C
export LC_ALL
boot=$2
folder=${JOBS_FOLDER}/$1
file=$folder.$$
spare=${SPARE_MARKER}$1
${REPLY_FUNCTIONS}
${BOOT_GUARD}
${CREATE_FOLDER}
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

/**
 * Must run before a host is released to which a reboot command can still be on its way. Must be run as root; can be
 * repeated.
 */
export const blockReboot = (rebootId: RebootId): HostQuery<BlockReply | ScriptError> => ({
  argv: scriptArgv(SCRIPT, markerName(rebootId), rebootId.bootId),
  parse: result => parseReply(result, REPLIES),
});

export interface BlockCommand {
  readonly name: string;
  readonly bootId: string;
}

export function parseBlockArgv(argv: Argv): BlockCommand | undefined {
  const [name, bootId] = parseScriptArgs(SCRIPT, argv) ?? [];
  return name === undefined || bootId === undefined ? undefined : { name, bootId };
}
