import type { EnrolBody, Enrolled, Refused } from '../../../client/enrol-in-parts.ts';
import { plural } from '../../../lib/text/plural.ts';
import { EXIT } from '../../../program/exit-codes.ts';
import { atOnce } from '../../at-once.ts';
import { CliProblem } from '../../cli-problem.ts';
import type { Session } from '../../session.ts';
import { readHostKeyFile } from '../../ssh/host-key-file.ts';
import { readPrivateKeyFile } from '../../ssh/private-key-file.ts';
import { namedAddresses } from './addresses.ts';
import { enrolAndTell, enrolledWord, rejectionOf, tellRefusals } from './enrol-and-tell.ts';
import { readLabelChanges } from './labels.ts';
import { notReadyProblem, waitAndTell } from './wait-and-tell.ts';
import type { Waited } from './wait-for-hosts.ts';

interface AddOptions {
  readonly key: string;
  readonly remoteUser?: string;
  readonly port?: number;
  readonly cluster?: string;
  readonly hostKey?: readonly string[];
  readonly label?: readonly string[];
  readonly transport?: string;
  readonly source?: string;
  readonly from?: string;
  readonly wait?: true;
  /** In milliseconds. */
  readonly timeout: number;
}

function bodyOf({ terminal }: Session, options: AddOptions): EnrolBody {
  const { key, remoteUser, port, cluster, hostKey, transport, source } = options;
  return {
    ssh_priv_key: readPrivateKeyFile(key, terminal),
    ...(remoteUser !== undefined && { remote_user: remoteUser }),
    ...(port !== undefined && { ssh_port: port }),
    ...(cluster !== undefined && { cluster }),
    ...(hostKey !== undefined && { host_keys: hostKey.flatMap(readHostKeyFile) }),
    ...(transport !== undefined && { transport }),
    ...(source !== undefined && { source }),
  };
}

function enrolledSentence(results: readonly (Enrolled | Refused)[]): string {
  const [only] = results;
  if (only !== undefined && results.length === 1) return `host ${only.address} ${enrolledWord(only)}`;
  const count = (isNew: boolean) => results.filter(each => 'host' in each && each.isNew === isNew).length;
  return `${plural(count(true), 'host')} enrolled, ${count(false)} already enrolled`;
}

function readySentence(waited: readonly Waited[]): string {
  const [only] = waited;
  if (only !== undefined && waited.length === 1) return `host ${only.address} is ${only.status}`;
  return `${waited.filter(({ isReady }) => isReady).length} of ${plural(waited.length, 'host')} ready`;
}

/** As they are now: who has waited wants to know what came of it. */
async function printHosts({ client, print }: Session, addresses: readonly string[]) {
  const values = await atOnce(addresses, async address => (await client.getHost({ address })).body);
  await print.each(values.map(value => ({ value, name: value.address })));
}

/** Answers what to end with, if not all became ready. */
async function wait(session: Session, addresses: readonly string[], timeoutMs: number) {
  const waited = await waitAndTell(session, addresses, timeoutMs);
  const problem = notReadyProblem(session, waited);
  const isWorthSaying = problem === undefined || waited.length > 1;
  if (session.print.isForPeople && isWorthSaying) session.terminal.write(`${readySentence(waited)}\n`);
  return problem;
}

export async function add(session: Session, options: AddOptions, given: readonly string[]): Promise<void> {
  const { print, terminal } = session;
  const addresses = await namedAddresses(given, options.from, terminal);
  const wish = { labels: readLabelChanges(options.label ?? []), body: bodyOf(session, options) };
  const results = await enrolAndTell(session, addresses, wish);
  const refused = results.filter(each => 'refusal' in each);
  const accepted = results.flatMap(each => ('host' in each ? [each.address] : []));
  const [first] = refused;
  // A single error is printed as for other commands.
  if (addresses.length === 1 && first !== undefined) throw rejectionOf(first);
  if (print.isForPeople && accepted.length > 0) terminal.write(`${enrolledSentence(results)}\n`);
  const problem =
    options.wait && accepted.length > 0 ? await wait(session, accepted, options.timeout) : undefined;
  if (!print.isForPeople) await printHosts(session, accepted);
  tellRefusals(session, refused);
  if (refused.length > 0)
    throw new CliProblem(EXIT.refused, `${refused.length} of ${plural(addresses.length, 'host')} rejected`);
  if (problem) throw problem;
}
