// An error line starts with a marker, so that the output of a login profile is not parsed as an error.

import type { CommandResult } from '../domain/command.ts';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { HostReason } from '../domain/vocabulary.ts';
import { sanitizeLine } from '../lib/sanitize.ts';

type ScriptErrorCode = Extract<HostReason, 'run_not_writable' | 'run_folder_unsafe' | 'proc_not_readable'>;

export const ERROR_MARKER = 'hostler-error';

/** A Map, not an object: a host can send any word, including `constructor`. */
const ACTIONS: ReadonlyMap<string, readonly [code: ScriptErrorCode, detail: string]> = new Map([
  ['create_folder', ['run_not_writable', 'cannot create /run/hostler on the host']],
  [
    'check_folder',
    ['run_folder_unsafe', '/run/hostler on the host must be a folder of root with mode 0700; remove it, then retry'],
  ],
  ['write_file', ['run_not_writable', 'cannot write to /run/hostler on the host']],
  ['read_boot_id', ['proc_not_readable', 'cannot read /proc/sys/kernel/random/boot_id on the host']],
  ['read_uptime', ['proc_not_readable', 'cannot read /proc/uptime on the host']],
]);

/** Commands print the reason last; earlier lines are often warnings of the dynamic linker. */
export const REPORT_ERROR = `line_break='
'
report_error() {
  printf '${ERROR_MARKER} %s %s\\n' "$1" "\${2##*"$line_break"}"
}`;

const LINE = new RegExp(`^${ERROR_MARKER} ([a-z_]+) ?(.*)$`, 'm');
const MAX_QUOTE = 200;
const MAX_LINE = 4000;

/** Keeps the end of a long line, because the reason comes after the paths. */
function quote(output: string): string {
  const line = sanitizeLine(output.slice(-MAX_LINE), MAX_LINE);
  return line.length > MAX_QUOTE ? `…${line.slice(1 - MAX_QUOTE).toWellFormed()}` : line;
}

/** A value that is returned and never thrown, like `TransportFailure`. */
export class ScriptError {
  readonly code: ScriptErrorCode;
  readonly detail: string;

  private constructor(code: ScriptErrorCode, detail: string) {
    this.code = code;
    this.detail = detail;
  }

  static of(action: string, output: string): ScriptError | undefined {
    const found = ACTIONS.get(action);
    if (found === undefined) return undefined;
    const [code, detail] = found;
    const quoted = quote(output);
    return new ScriptError(code, quoted === '' ? detail : `${detail}: ${quoted}`);
  }

  toString(): ReasonText {
    return `${this.code}: ${this.detail}`;
  }
}

export function parseScriptError({ stdout }: Pick<CommandResult, 'stdout'>): ScriptError | undefined {
  const [, action = '', output = ''] = LINE.exec(Buffer.from(stdout).toString('utf8')) ?? [];
  return ScriptError.of(action, output);
}
