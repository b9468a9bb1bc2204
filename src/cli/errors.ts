import { errorMessage } from '../lib/errors.ts';
import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../lib/sanitize.ts';
import { conflictingFields, formatConflict, isCredentialConflict } from '../sdk/enrolment.ts';
import { ApiError, isRetryable, ServiceUnreachableError } from '../sdk/errors.ts';
import { describeField, formatServerText, toEnrolmentFlag } from './output/server-text.ts';
import type { ExitCode } from './program.ts';
import { EXIT_CODES } from './program.ts';

/** An error with a message for the user: the problem and, if possible, how to fix it. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The exit code of shells after Ctrl-C. */
export const EXIT_INTERRUPTED = 130;

/** Exits with a code without a message: the user or another program has ended the command. */
export class ExitError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exited with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

export const usageError = (message: string): CliError => new CliError(EXIT_CODES.usage, message);
export const failedError = (message: string): CliError => new CliError(EXIT_CODES.failed, message);
export const notFoundError = (message: string): CliError => new CliError(EXIT_CODES.notFound, message);
export const rejectedError = (message: string): CliError => new CliError(EXIT_CODES.rejected, message);

export interface ErrorReport {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
}

const LIST_COMMANDS: Readonly<Record<string, string>> = {
  account: 'user',
  cluster: 'cluster',
  'container manager': 'container-manager',
  host: 'host',
  network: 'network',
  operation: 'operation',
  token: 'token',
  webhook: 'webhook',
};
const MISSING_RECORD = new RegExp(`^the (${Object.keys(LIST_COMMANDS).join('|')}) \\S+ does not exist`);
const FINISHED_RETRY = /^cannot retry operation \S+: it has finished/;
const RUNNING_OPERATION = /\b(?:restart|upgrade|deploy) ([\w-]{16})\b/;

/** Depends on the error code, not on the status, which differs in compatibility mode. */
function getHint(code: string, detail: string): string {
  if (code === 'unauthorized') return '. Log in with: hostler login';
  const command = LIST_COMMANDS[MISSING_RECORD.exec(detail)?.[1] ?? ''];
  if (code === 'not_found' && command !== undefined) return `. See: hostler ${command} list`;
  const [, id] = RUNNING_OPERATION.exec(detail) ?? [];
  if (code === 'operation_running' && id !== undefined) return `. See: hostler operation show ${id}`;
  if (code === 'invalid_state' && FINISHED_RETRY.test(detail)) return '. Start a new operation with --hosts HOSTS';
  return '';
}

const UNEXPECTED_RESPONSE = 'unexpected_response';

const stripFullStop = (text: string): string => text.replace(/\.$/, '');

/** Replaces the address in commands if a message is about several hosts. */
const HOST_PLACEHOLDER = 'HOST';

function describeConflict(fields: readonly string[], address: string): string {
  const replace = isCredentialConflict(fields)
    ? ` Replace the credentials with: hostler host creds ${address} --set FILE.`
    : '';
  const host = address === HOST_PLACEHOLDER ? '' : `the host ${address} is `;
  return `${host}${formatConflict(fields.map(toEnrolmentFlag))}.${replace} To enrol the host again, remove it first: hostler host remove ${address}`;
}

function getExitCode(error: ApiError): ExitCode {
  // A script can only try again later after an internal error, too.
  if (isRetryable(error) || error.status >= 500) return EXIT_CODES.unreachable;
  return error.problem.code === 'not_found' ? EXIT_CODES.notFound : EXIT_CODES.rejected;
}

function describeApiError(error: ApiError, address: string): ErrorReport {
  const { detail, code, request_id, errors = [] } = error.problem;
  if (code === UNEXPECTED_RESPONSE)
    return {
      exitCode: EXIT_CODES.unreachable,
      lines: [
        `this is not a response of a Hostler server (HTTP status ${error.status}): ${sanitizeLine(detail) || 'empty'}. Check the server URL and its proxy`,
      ],
    };
  const exitCode = getExitCode(error);
  const request = request_id === '' ? '' : `, request ${sanitizeLine(request_id)}`;
  const source = `(${sanitizeLine(code)}${request})`;
  const conflict = conflictingFields(error.problem);
  if (conflict.length > 0)
    return { exitCode, lines: [sanitizeLine(`${describeConflict(conflict, address)} ${source}`, MAX_MESSAGE_LENGTH)] };
  const fields = errors.map(({ path, message }) =>
    sanitizeLine(`${describeField(path) || 'the request'} ${formatServerText(message)}`, MAX_MESSAGE_LENGTH),
  );
  const [first = '', ...others] = fields;
  // The detail of a validation error repeats all field errors, with the field names of the API.
  const isDetailOfFields = errors.length > 0 && errors.every(({ message }) => detail.includes(message));
  if (isDetailOfFields && others.length === 0) return { exitCode, lines: [`${stripFullStop(first)} ${source}`] };
  const text = isDetailOfFields
    ? `${fields.length} values are invalid`
    : `${stripFullStop(sanitizeLine(formatServerText(detail), MAX_MESSAGE_LENGTH))}${getHint(code, detail)}`;
  return { exitCode, lines: [`${text} ${source}`, ...fields.map(line => `  ${line}`)] };
}

const CERTIFICATE = /certificate|CERT_|self-signed/i;

function describeUnreachable({ urls, reason: text }: ServiceUnreachableError): ErrorReport {
  const reason = sanitizeLine(text);
  const hint = CERTIFICATE.test(reason)
    ? 'Add the CA certificate of the server with --ca-file FILE'
    : 'Check that the server is running, or use another one with --server URL or hostler login URL';
  return { exitCode: EXIT_CODES.unreachable, lines: [`cannot reach ${urls.join(' and ')}: ${reason}. ${hint}`] };
}

/** `address`: the host of the request, for commands in the message. */
export function describeError(error: unknown, address = HOST_PLACEHOLDER): ErrorReport {
  if (error instanceof ApiError) return describeApiError(error, address);
  if (error instanceof ServiceUnreachableError) return describeUnreachable(error);
  if (error instanceof CliError) return { exitCode: error.exitCode, lines: [error.message] };
  return {
    exitCode: EXIT_CODES.failed,
    lines: [`${sanitizeLine(errorMessage(error), MAX_MESSAGE_LENGTH)}. Run with --debug for a stack trace`],
  };
}
