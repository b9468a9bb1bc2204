import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../../lib/sanitize.ts';
import { pluralize } from '../../../lib/text.ts';
import type { EnrolBody, EnrolledHost, RejectedHost } from '../../../sdk/enrolment.ts';
import { failedError, rejectedError } from '../../errors.ts';
import { mapConcurrent } from '../../for-each-host.ts';
import type { Session } from '../../session.ts';
import { ProgressLine } from '../../terminal/screen.ts';
import { withInterruptSignal } from '../../terminal/terminal.ts';
import { parseLabelChanges, readAddresses } from './arguments.ts';
import { enrolWithProgress, formatEnrolmentResult, printRejections, toCliError } from './enrol.ts';
import { readHostKeyFile, readPrivateKeyFile } from './key-files.ts';
import type { WaitResult } from './wait-for-hosts.ts';
import { waitForHosts } from './wait-for-hosts.ts';

/** Ctrl-C ends the wait like the timeout; the server continues. */
export async function waitWithProgress(
  session: Session,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<readonly WaitResult[]> {
  const progress = new ProgressLine(session.terminal);
  let [ready, failed] = [0, 0];
  const getStatusText = () => `waiting for ${pluralize(addresses.length, 'host')}: ${ready} ready, ${failed} failed`;
  progress.update({ status: getStatusText() });
  const onDone = ({ address, status, isReady }: WaitResult) => {
    if (isReady) ready += 1;
    else failed += 1;
    progress.update({ status: getStatusText(), logLine: `host ${address} is ${status}` });
  };
  try {
    return await withInterruptSignal(session.terminal, signal =>
      waitForHosts(session, addresses, { timeoutMs, signal, onDone }),
    );
  } finally {
    progress.clear();
  }
}

export function checkAllReady({ terminal }: Session, results: readonly WaitResult[]): Error | undefined {
  const notReady = results.filter(({ isReady }) => !isReady);
  const [first] = notReady;
  if (first === undefined) return undefined;
  for (const { address, status, reason } of notReady) {
    const still = status === 'failed' || status === 'removed' ? '' : 'still ';
    terminal.writeErr(
      `hostler: ${address} is ${still}${status}${reason && `: ${sanitizeLine(reason, MAX_MESSAGE_LENGTH)}`}\n`,
    );
  }
  const subject = results.length === 1 ? 'the host is' : `${notReady.length} of ${results.length} hosts are`;
  return failedError(`${subject} not ready. See: hostler host show ${first.address}`);
}

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

function toEnrolBody({ terminal }: Session, options: AddOptions): EnrolBody {
  const { key, remoteUser, port, cluster, hostKey, transport, source } = options;
  return {
    ssh_priv_key: readPrivateKeyFile(key, terminal),
    remote_user: remoteUser,
    ssh_port: port,
    cluster,
    host_keys: hostKey?.flatMap(readHostKeyFile),
    transport,
    source,
  };
}

function formatEnrolled(results: readonly (EnrolledHost | RejectedHost)[]): string {
  const [only] = results;
  if (only !== undefined && results.length === 1) return `host ${only.address} ${formatEnrolmentResult(only)}`;
  const count = (isNew: boolean) => results.filter(result => 'host' in result && result.isNew === isNew).length;
  return `${pluralize(count(true), 'host')} enrolled, ${count(false)} already enrolled`;
}

function formatReady(results: readonly WaitResult[]): string {
  const [only] = results;
  if (only !== undefined && results.length === 1) return `host ${only.address} is ${only.status}`;
  return `${results.filter(({ isReady }) => isReady).length} of ${pluralize(results.length, 'host')} ready`;
}

/** Fetches the hosts again, because their status changes during the wait. */
async function printHosts({ client, printer }: Session, addresses: readonly string[]) {
  const values = await mapConcurrent(addresses, async address => (await client.getHost({ address })).body);
  await printer.printStructured(
    values,
    values.map(({ address }) => address),
  );
}

async function waitUntilReady(session: Session, addresses: readonly string[], timeoutMs: number) {
  const results = await waitWithProgress(session, addresses, timeoutMs);
  const notReadyError = checkAllReady(session, results);
  const shouldPrint = notReadyError === undefined || results.length > 1;
  if (session.printer.isHumanReadable && shouldPrint) session.terminal.writeOut(`${formatReady(results)}\n`);
  return notReadyError;
}

export async function add(session: Session, options: AddOptions, args: readonly string[]): Promise<void> {
  const { printer, terminal } = session;
  const addresses = await readAddresses(args, options.from, terminal);
  const enrolment = { labels: parseLabelChanges(options.label ?? []), body: toEnrolBody(session, options) };
  const results = await enrolWithProgress(session, addresses, enrolment);
  const rejected = results.filter(result => 'error' in result);
  const accepted = results.flatMap(result => ('host' in result ? [result.address] : []));
  const [first] = rejected;
  // A single error is printed as for other commands.
  if (addresses.length === 1 && first !== undefined) throw toCliError(first);
  if (printer.isHumanReadable && accepted.length > 0) terminal.writeOut(`${formatEnrolled(results)}\n`);
  const notReadyError =
    options.wait && accepted.length > 0 ? await waitUntilReady(session, accepted, options.timeout) : undefined;
  if (!printer.isHumanReadable) await printHosts(session, accepted);
  printRejections(session, rejected);
  if (rejected.length > 0) throw rejectedError(`${rejected.length} of ${pluralize(addresses.length, 'host')} rejected`);
  if (notReadyError) throw notReadyError;
}
