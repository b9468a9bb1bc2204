import { pluralize } from '../../../lib/text.ts';
import type { EnrolBody, EnrolledHost, RejectedHost } from '../../../sdk/enrolment.ts';
import { enrolInBatches } from '../../../sdk/enrolment.ts';
import { ApiError } from '../../../sdk/errors.ts';
import { CliError, describeError } from '../../errors.ts';
import type { Session } from '../../session.ts';
import { ProgressLine } from '../../terminal/screen.ts';
import type { LabelChanges } from './arguments.ts';
import { applyLabelChanges } from './arguments.ts';

/** Also labels enrolled hosts, because an earlier run can have been interrupted before it set the labels. */
async function setLabels({ client }: Session, { address, isNew }: EnrolledHost, changes: LabelChanges) {
  if (changes.size === 0) return;
  const current = isNew ? {} : (await client.getHostLabels({ address })).body;
  await client.putHostLabels({ address, body: applyLabelChanges(current, changes) });
}

export const formatEnrolmentResult = (result: EnrolledHost | RejectedHost): string => {
  if ('error' in result) return 'rejected';
  return result.isNew ? 'enrolled' : 'is already enrolled';
};

export async function enrolWithProgress(
  session: Session,
  addresses: readonly string[],
  { body, labels }: { readonly body: EnrolBody; readonly labels: LabelChanges },
): Promise<readonly (EnrolledHost | RejectedHost)[]> {
  const { client, terminal } = session;
  const progress = new ProgressLine(terminal);
  const results: (EnrolledHost | RejectedHost)[] = [];
  const handleResult = async (result: EnrolledHost | RejectedHost) => {
    if (!('error' in result)) await setLabels(session, result, labels);
    results.push(result);
    const count = `${results.length}/${addresses.length}`;
    if (addresses.length > 1)
      progress.update({
        status: `enrolling ${count}`,
        logLine: `${count} host ${result.address} ${formatEnrolmentResult(result)}`,
      });
  };
  try {
    for await (const batch of enrolInBatches(client, addresses, body))
      for (const result of batch) await handleResult(result);
    return results;
  } catch (error) {
    progress.clear();
    if (results.length > 0)
      terminal.writeErr(
        `hostler: stopped after ${results.length} of ${pluralize(addresses.length, 'host')}. Run the same command again to continue\n`,
      );
    throw error;
  } finally {
    progress.clear();
  }
}

/** Omits the request ID, so that equal reasons from different requests are grouped. */
const getRejectionReason = ({ error: { status, problem } }: RejectedHost): string =>
  describeError(new ApiError(status, { ...problem, request_id: '' })).lines.join('\n');

export function printRejections({ terminal }: Session, rejected: readonly RejectedHost[]): void {
  for (const [reason, hosts] of Map.groupBy(rejected, getRejectionReason)) {
    const addresses = hosts.map(({ address }) => address).join(', ');
    const namesHost = reason.startsWith(`the host ${addresses} `);
    terminal.writeErr(`hostler: ${namesHost ? '' : `${addresses}: `}${reason}\n`);
  }
}

export function toCliError({ address, error }: RejectedHost): CliError {
  const { exitCode, lines } = describeError(error, address);
  return new CliError(exitCode, lines.join('\n'));
}
