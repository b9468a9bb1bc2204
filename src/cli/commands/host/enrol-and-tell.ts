import { RequestRefused } from '../../../client/client.ts';
import type { EnrolBody, Enrolled, Refused } from '../../../client/enrol-in-parts.ts';
import { enrolInParts } from '../../../client/enrol-in-parts.ts';
import { plural } from '../../../lib/text/plural.ts';
import { CliProblem } from '../../cli-problem.ts';
import { explain } from '../../explain.ts';
import { ProgressLine } from '../../progress-line.ts';
import type { Session } from '../../session.ts';
import type { LabelChanges } from './labels.ts';
import { changedLabels } from './labels.ts';

/** Also of a host that is there already: somebody may have been interrupted between the two. */
async function setLabels({ client }: Session, { address, isNew }: Enrolled, changes: LabelChanges) {
  if (changes.size === 0) return;
  const before = isNew ? {} : (await client.getHostLabels({ address })).body;
  await client.putHostLabels({ address, body: changedLabels(before, changes) });
}

export const enrolledWord = (result: Enrolled | Refused): string => {
  if ('refusal' in result) return 'rejected';
  return result.isNew ? 'enrolled' : 'is already enrolled';
};

/** Enrols hosts and labels them. How far it has come is told on the way, and also where it had to end. */
export async function enrolAndTell(
  session: Session,
  addresses: readonly string[],
  { body, labels }: { readonly body: EnrolBody; readonly labels: LabelChanges },
): Promise<readonly (Enrolled | Refused)[]> {
  const { client, terminal } = session;
  const progress = new ProgressLine(terminal);
  const done: (Enrolled | Refused)[] = [];
  const tell = async (result: Enrolled | Refused) => {
    if (!('refusal' in result)) await setLabels(session, result, labels);
    done.push(result);
    const part = `${done.length}/${addresses.length}`;
    if (addresses.length > 1)
      progress.tell({
        soFar: `enrolling ${part}`,
        happened: `${part} host ${result.address} ${enrolledWord(result)}`,
      });
  };
  try {
    for await (const some of enrolInParts(client, addresses, body))
      for (const result of some) await tell(result);
    return done;
  } catch (error) {
    progress.clear();
    if (done.length > 0)
      terminal.tell(
        `hostler: stopped after ${done.length} of ${plural(addresses.length, 'host')}. Run the same command again to continue\n`,
      );
    throw error;
  } finally {
    progress.clear();
  }
}

/** Hosts that are enrolled in different requests can have the same reason. */
const reasonOf = ({ refusal: { status, problem } }: Refused): string =>
  explain(new RequestRefused(status, { ...problem, request_id: '' })).lines.join('\n');

/** Lists why hosts were rejected. A reason that several hosts have is printed once. */
export function tellRefusals({ terminal }: Session, refused: readonly Refused[]): void {
  for (const [reason, hosts] of Map.groupBy(refused, reasonOf)) {
    const who = hosts.map(({ address }) => address).join(', ');
    const isNamed = reason.startsWith(`the host ${who} `);
    terminal.tell(`hostler: ${isNamed ? '' : `${who}: `}${reason}\n`);
  }
}

/** The error of a command that enrols a single host. */
export function rejectionOf({ address, refusal }: Refused): CliProblem {
  const { exitCode, lines } = explain(refusal, address);
  return new CliProblem(exitCode, lines.join('\n'));
}
