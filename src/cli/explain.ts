import { RequestRefused, ServiceUnreachable } from '../client/client.ts';
import { isPassing } from '../client/is-passing.ts';
import { messageOf } from '../lib/errors/message-of.ts';
import { isRecord } from '../lib/is-record.ts';
import { harmless, LONGEST_SENTENCE } from '../lib/text/harmless.ts';
import type { ExitCode } from '../program/exit-codes.ts';
import { EXIT } from '../program/exit-codes.ts';
import { CliProblem } from './cli-problem.ts';

/** What went wrong, for people, and how the program ends. */
export interface Explained {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
}

/** By its code: for old clients the status may be another. */
const adviceFor = (code: string): string => (code === 'unauthorized' ? '; log in by: hostler login' : '');

/** A proxy, or another program. */
const NOT_HOSTLER = 'not_hostler';

function explainRefusal(refusal: RequestRefused): Explained {
  const { detail, code, request_id, errors = [] } = refusal.problem;
  if (code === NOT_HOSTLER)
    return {
      exitCode: EXIT.unreachable,
      lines: [
        `what answers there (${refusal.status}) is no Hostler: ${harmless(detail) || 'it says nothing'}`,
      ],
    };
  const request = request_id === '' ? '' : `, request ${harmless(request_id)}`;
  return {
    exitCode: isPassing(refusal) ? EXIT.unreachable : EXIT.refused,
    lines: [
      `${harmless(detail, LONGEST_SENTENCE)}${adviceFor(code)} (${harmless(code)}${request})`,
      // A single one is in the sentence already.
      ...errors
        .filter(({ message }) => !detail.includes(message))
        .map(({ path, message }) => `  ${harmless(path)} ${harmless(message, LONGEST_SENTENCE)}`),
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
    lines: [`${harmless(messageOf(error), LONGEST_SENTENCE)}; --debug shows where it came from`],
  };
}
