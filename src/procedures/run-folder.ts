// POSIX shell for dash, bash and busybox. Scripts must define `fail ACTION OUTPUT`, which reports an error and exits.

import type { Argv, HostQuery } from '../domain/command.ts';
import { parseScriptArgs, scriptArgv } from '../domain/command.ts';
import { JOBS_FOLDER } from './jobs/job.ts';
import type { ScriptError } from './script-error.ts';
import { parseScriptError, REPORT_ERROR } from './script-error.ts';

// Another script can create the folder at the same time. Scripts in the folder run as root, so only root may own it or
// write to it. A dot after the mode means that the folder has an SELinux label.
export const CREATE_FOLDER = `create_folder() {
  [ -d ${JOBS_FOLDER} ] || error=$(mkdir -m 0700 ${JOBS_FOLDER} 2>&1) || [ -d ${JOBS_FOLDER} ] || fail create_folder "$error"
  error=$(ls -ldn ${JOBS_FOLDER} 2>&1) || fail create_folder "$error"
  set -- $error
  case "$1 $3" in
    'drwx------ 0' | 'drwx------. 0') ;;
    *) fail check_folder "$error" ;;
  esac
}`;

/** dash reports a full file system as "I/O error", so a second attempt with cat gets the error. */
export const WRITE_FILE = `write_file() {
  { printf '%s\\n' "$2" >"$1"; } 2>/dev/null || fail write_file "$( { printf '%s\\n' "$2" 2>/dev/null | cat >"$1"; } 2>&1)"
}`;

// The detached wrapper of a job cannot report an error, so the files that it needs are tested here. The file of the
// wrapper must already exist, because it takes up space until the job has ended.
export const CHECK_SPACE = `check_space() {
  probe=${JOBS_FOLDER}/.probe.$$
  rm -rf "$probe"
  error=$( {
    mkdir -m 0700 "$probe" && mkfifo "$probe/pipe" || exit 1
    for entry in pid code command; do echo 0 2>/dev/null | cat >"$probe/$entry" || exit 1; done
  } 2>&1) || {
    rm -rf "$probe"
    fail write_file "$error"
  }
  rm -rf "$probe"
}`;

const CHECK_MARKER = 'hostler-run';

const SCRIPT = `LC_ALL=C
export LC_ALL
${REPORT_ERROR}
fail() {
  report_error "$@"
  exit 1
}
${CREATE_FOLDER}
${CHECK_SPACE}
create_folder
check_space
echo ${CHECK_MARKER} writable`;

export const RUN_IS_WRITABLE = `${CHECK_MARKER} writable\n`;
const LINE = new RegExp(`^${RUN_IS_WRITABLE}`, 'm');

/** Must be run as root. */
export const runFolderQuery: HostQuery<'writable' | ScriptError> = {
  argv: scriptArgv(SCRIPT),
  parse: result => (LINE.test(Buffer.from(result.stdout).toString('latin1')) ? 'writable' : parseScriptError(result)),
};

export const isRunFolderQuery = (argv: Argv): boolean => parseScriptArgs(SCRIPT, argv) !== undefined;
