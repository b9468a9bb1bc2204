// Shell functions that create and write files in /run/hostler: POSIX shell for dash, bash and busybox. A script that
// uses them must define `fail ACTION OUTPUT`, which reports the error and exits.

import type { Argv, HostQuery } from '../domain/command.ts';
import { parseScriptArgs, scriptArgv } from '../domain/command.ts';
import { JOBS_FOLDER } from './jobs/job.ts';
import type { ScriptError } from './script-error.ts';
import { parseScriptError, REPORT_ERROR } from './script-error.ts';

/**
 * mkdir can fail because another script creates the folder at the same time. Scripts in the folder run as root, so only
 * root may own it or write to it. A dot after the mode means that the folder has an SELinux label.
 */
export const CREATE_FOLDER = `open_folder() {
  [ -d ${JOBS_FOLDER} ] || error=$(mkdir -m 0700 ${JOBS_FOLDER} 2>&1) || [ -d ${JOBS_FOLDER} ] || fail create_folder "$error"
  error=$(ls -ldn ${JOBS_FOLDER} 2>&1) || fail create_folder "$error"
  set -- $error
  case "$1 $3" in
    'drwx------ 0' | 'drwx------. 0') ;;
    *) fail check_folder "$error" ;;
  esac
}`;

/**
 * `write_file FILE TEXT`. dash reports a full file system as "I/O error", so the error is taken from a second attempt
 * with cat.
 */
export const WRITE_FILE = `write_file() {
  { printf '%s\\n' "$2" >"$1"; } 2>/dev/null || fail write_file "$( { printf '%s\\n' "$2" 2>/dev/null | cat >"$1"; } 2>&1)"
}`;

/**
 * Creates and removes the files that the wrapper of a job needs, because the detached wrapper cannot report an error.
 * The file of the wrapper itself must already exist, because it takes up space until the job has ended.
 */
export const CHECK_SPACE = `check_space() {
  probe=${JOBS_FOLDER}/.probe.$$
  rm -rf "$probe"
  error=$( {
    mkdir -m 0700 "$probe" && mkfifo "$probe/pipe" || exit 1
    for part in pid code command; do echo 0 2>/dev/null | cat >"$probe/$part" || exit 1; done
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
open_folder
check_space
echo ${CHECK_MARKER} writable`;

export const RUN_IS_WRITABLE = `${CHECK_MARKER} writable\n`;
const LINE = new RegExp(`^${RUN_IS_WRITABLE}`, 'm');

/** Checks whether a job can be started and a reboot marker created. Must be run as root. */
export const runFolderQuery: HostQuery<'writable' | ScriptError> = {
  argv: scriptArgv(SCRIPT),
  parse: result => (LINE.test(Buffer.from(result.stdout).toString('latin1')) ? 'writable' : parseScriptError(result)),
};

export const isRunFolderQuery = (argv: Argv): boolean => parseScriptArgs(SCRIPT, argv) !== undefined;
