import { RequestRefused, ServiceUnreachable } from '../client/client.ts';
import { conflictingFields, conflictText, isCredentialConflict } from '../client/host-conflict.ts';
import { isPassing } from '../client/is-passing.ts';
import { messageOf } from '../lib/errors/message-of.ts';
import { isRecord } from '../lib/is-record.ts';
import { harmless, LONGEST_SENTENCE } from '../lib/text/harmless.ts';
import type { ExitCode } from '../program/exit-codes.ts';
import { EXIT } from '../program/exit-codes.ts';
import { CliProblem } from './cli-problem.ts';
import { enrolmentFlag, fieldName, serverText } from './output/server-text.ts';

/** What went wrong, for people, and how the program ends. */
export interface Explained {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
}

/** The commands for each kind of record that the server can report as missing. */
const NOUNS: Readonly<Record<string, string>> = {
  account: 'user',
  cluster: 'cluster',
  'container manager': 'container-manager',
  host: 'host',
  network: 'network',
  operation: 'operation',
  token: 'token',
  webhook: 'webhook',
};
const MISSING = new RegExp(`^the (${Object.keys(NOUNS).join('|')}) \\S+ does not exist`);
const FINISHED_RETRY = /^cannot retry operation \S+: it has finished/;
const RUNNING = /\b(?:restart|upgrade|deploy) ([\w-]{16})\b/;

/** The next step, by the code: in compatibility mode the status differs. */
function adviceFor(code: string, detail: string): string {
  if (code === 'unauthorized') return '. Log in with: hostler login';
  const noun = NOUNS[MISSING.exec(detail)?.[1] ?? ''];
  if (code === 'not_found' && noun !== undefined) return `. See: hostler ${noun} list`;
  const [, id] = RUNNING.exec(detail) ?? [];
  if (code === 'operation_running' && id !== undefined) return `. See: hostler operation show ${id}`;
  if (code === 'invalid_state' && FINISHED_RETRY.test(detail))
    return '. Start a new operation with --hosts ADDRESSES';
  return '';
}

/** A proxy, or another program. */
const NOT_HOSTLER = 'not_hostler';

const withoutFullStop = (text: string): string => text.replace(/\.$/, '');

/** Stands for the host in a command if a message is about several hosts. */
const ANY_HOST = 'ADDRESS';

/** What to do about a host that is already enrolled with other values. */
function explainConflict(fields: readonly string[], address: string): string {
  const replace = isCredentialConflict(fields)
    ? ` Replace the credentials with: hostler host creds ${address} --set FILE.`
    : '';
  const host = address === ANY_HOST ? '' : `the host ${address} is `;
  return `${host}${conflictText(fields.map(enrolmentFlag))}.${replace} To enrol the host again, remove it first: hostler host remove ${address}`;
}

function explainRejection(rejection: RequestRefused, address: string): Explained {
  const { detail, code, request_id, errors = [] } = rejection.problem;
  if (code === NOT_HOSTLER)
    return {
      exitCode: EXIT.unreachable,
      lines: [
        `this is not a response of a Hostler server (HTTP status ${rejection.status}): ${harmless(detail) || 'empty'}. Check the server URL and its proxy`,
      ],
    };
  const exitCode = isPassing(rejection) ? EXIT.unreachable : EXIT.refused;
  const request = request_id === '' ? '' : `, request ${harmless(request_id)}`;
  const source = `(${harmless(code)}${request})`;
  const conflict = conflictingFields(rejection.problem);
  if (conflict.length > 0)
    return {
      exitCode,
      lines: [harmless(`${explainConflict(conflict, address)} ${source}`, LONGEST_SENTENCE)],
    };
  const fields = errors.map(({ path, message }) =>
    harmless(`${fieldName(path) || 'the request'} ${serverText(message)}`, LONGEST_SENTENCE),
  );
  const [only = '', ...others] = fields;
  // The detail of a validation error repeats all field errors, with the field names of the API.
  const isDetailOfFields = errors.length > 0 && errors.every(({ message }) => detail.includes(message));
  if (isDetailOfFields && others.length === 0)
    return { exitCode, lines: [`${withoutFullStop(only)} ${source}`] };
  const text = isDetailOfFields
    ? `${fields.length} values are invalid`
    : `${withoutFullStop(harmless(serverText(detail), LONGEST_SENTENCE))}${adviceFor(code, detail)}`;
  return { exitCode, lines: [`${text} ${source}`, ...fields.map(line => `  ${line}`)] };
}

const CERTIFICATE = /certificate|CERT_|self-signed/i;

/** A name may have several addresses, none of which answers; of what fetch says the reason is behind it. */
function reasonOf(failure: unknown): string {
  const reason = (isRecord(failure) ? failure['cause'] : undefined) ?? failure;
  return messageOf(reason instanceof AggregateError ? reason.errors[0] : reason);
}

function explainSilence({ urls, cause }: ServiceUnreachable): Explained {
  const reason = harmless(reasonOf(cause));
  const advice = CERTIFICATE.test(reason)
    ? 'Add the CA certificate of the server with --ca-file FILE'
    : 'Check that the server is running, or use another one with --server URL or hostler login URL';
  return {
    exitCode: EXIT.unreachable,
    lines: [`cannot reach ${urls.join(' and ')}: ${reason}. ${advice}`],
  };
}

/** `address`: the host that the request was for, if commands in the text must name one. */
export function explain(error: unknown, address = ANY_HOST): Explained {
  if (error instanceof RequestRefused) return explainRejection(error, address);
  if (error instanceof ServiceUnreachable) return explainSilence(error);
  if (error instanceof CliProblem) return { exitCode: error.exitCode, lines: [error.message] };
  return {
    exitCode: EXIT.failed,
    lines: [`${harmless(messageOf(error), LONGEST_SENTENCE)}. Run with --debug for a stack trace`],
  };
}
