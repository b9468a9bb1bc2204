import { RequestRefused, ServiceUnreachable } from '../client/client.ts';
import { harmless } from '../lib/harmless.ts';
import { isRecord } from '../lib/is-record.ts';
import { messageOf } from '../lib/message-of.ts';
import type { ExitCode } from './exit-codes.ts';
import { CliProblem, EXIT } from './exit-codes.ts';

/** What went wrong, for people, and how the program ends. */
export interface Explained {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
}

/** Far longer than any sentence of the service. */
const LONGEST = 2000;

/** Servers that are busy, or without their store, refuse nobody. */
const exitCodeOf = (status: number): ExitCode =>
  status >= 500 || status === 429 ? EXIT.unreachable : EXIT.refused;

/** By its code: for old clients the status may be another. */
const adviceFor = (code: string): string => (code === 'unauthorized' ? '; log in by: hostler login' : '');

function explainRefusal({ status, problem }: RequestRefused): Explained {
  const { detail, code, request_id, errors = [] } = problem;
  const request = request_id === '' ? '' : `, request ${harmless(request_id)}`;
  return {
    exitCode: exitCodeOf(status),
    lines: [
      `${harmless(detail, LONGEST)}${adviceFor(code)} (${harmless(code)}${request})`,
      ...errors.map(({ path, message }) => `  ${harmless(path)} ${harmless(message, LONGEST)}`),
    ],
  };
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
    ? 'name a file with the certificate that signed it by --ca-file'
    : 'is it running? Another is named by --server URL, or kept by: hostler login URL';
  return {
    exitCode: EXIT.unreachable,
    lines: [`${urls.join(' and ')} cannot be reached: ${reason}; ${advice}`],
  };
}

export function explain(error: unknown): Explained {
  if (error instanceof RequestRefused) return explainRefusal(error);
  if (error instanceof ServiceUnreachable) return explainSilence(error);
  if (error instanceof CliProblem) return { exitCode: error.exitCode, lines: [error.message] };
  return {
    exitCode: EXIT.failed,
    lines: [`${harmless(messageOf(error), LONGEST)}; --debug shows where it came from`],
  };
}
