import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../../lib/sanitize.ts';
import { formatCount } from '../../../lib/text.ts';
import type { EnrolBody, EnrolledHost, EnrolmentResult, RejectedHost } from '../../../sdk/enrolment.ts';
import { enrolInBatches } from '../../../sdk/enrolment.ts';
import { ApiError } from '../../../sdk/errors.ts';
import { CliError, describeError, failedError, rejectedError } from '../../errors.ts';
import { mapConcurrent } from '../../for-each-host.ts';
import type { Session } from '../../session.ts';
import { createProgressLine } from '../../terminal/screen.ts';
import { withInterruptSignal } from '../../terminal/terminal.ts';
import type { LabelChanges } from './arguments.ts';
import { applyLabelChanges, parseLabelChanges } from './arguments.ts';
import { readHostKeyFile, readPrivateKeyFile } from './key-files.ts';
import { readAddresses } from './read-addresses.ts';
import type { WaitResult } from './wait-for-hosts.ts';
import { waitForHosts } from './wait-for-hosts.ts';

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

/** Also labels enrolled hosts, because an earlier run can have been interrupted before it set the labels. */
async function setLabels({ client }: Session, { address, isNew }: EnrolledHost, changes: LabelChanges) {
  if (changes.size === 0) return;
  const current = isNew ? {} : (await client.getHostLabels({ address })).body;
  await client.putHostLabels({ address, body: applyLabelChanges(current, changes) });
}

function formatResult(result: EnrolmentResult): string {
  if ('error' in result) return 'rejected';
  return result.isNew ? 'enrolled' : 'is already enrolled';
}

async function enrol(session: Session, addresses: readonly string[], body: EnrolBody, labels: LabelChanges) {
  const { client, terminal } = session;
  const progress = createProgressLine(terminal);
  const results: EnrolmentResult[] = [];
  const handleResult = async (result: EnrolmentResult) => {
    if (!('error' in result)) await setLabels(session, result, labels);
    results.push(result);
    const count = `${results.length}/${addresses.length}`;
    const logLine = `${count} host ${result.address} ${formatResult(result)}`;
    if (addresses.length > 1) progress.update({ status: `enrolling ${count}`, logLine });
  };
  try {
    for await (const batch of enrolInBatches(client, addresses, body))
      for (const result of batch) await handleResult(result);
  } catch (error) {
    progress.clear();
    if (results.length > 0)
      terminal.writeErr(
        `hostler: stopped after ${results.length} of ${formatCount(addresses.length, 'host')}. Run the same command again to continue\n`,
      );
    throw error;
  }
  progress.clear();
  return results;
}

function formatEnrolled(results: readonly EnrolmentResult[]): string {
  const [only] = results;
  if (only !== undefined && results.length === 1) return `host ${only.address} ${formatResult(only)}`;
  const count = (isNew: boolean) => results.filter(result => 'host' in result && result.isNew === isNew).length;
  return `${formatCount(count(true), 'host')} enrolled, ${count(false)} already enrolled`;
}

/** Omits the request ID, so that equal reasons from different requests are grouped. */
const getRejectionReason = ({ error: { status, problem } }: RejectedHost): string =>
  describeError(new ApiError(status, { ...problem, request_id: '' })).lines.join('\n');

function printRejections({ terminal }: Session, rejected: readonly RejectedHost[]): void {
  for (const [reason, hosts] of Map.groupBy(rejected, getRejectionReason)) {
    const addresses = hosts.map(({ address }) => address).join(', ');
    const namesHost = reason.startsWith(`the host ${addresses} `);
    terminal.writeErr(`hostler: ${namesHost ? '' : `${addresses}: `}${reason}\n`);
  }
}

/** Ctrl-C ends the wait like the timeout; the server continues. */
async function waitWithProgress(session: Session, addresses: readonly string[], timeoutMs: number) {
  const progress = createProgressLine(session.terminal);
  let [ready, failed] = [0, 0];
  const getStatusText = () => `waiting for ${formatCount(addresses.length, 'host')}: ${ready} ready, ${failed} failed`;
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

function formatReady(results: readonly WaitResult[]): string {
  const [only] = results;
  if (only !== undefined && results.length === 1) return `host ${only.address} is ${only.status}`;
  return `${results.filter(({ isReady }) => isReady).length} of ${formatCount(results.length, 'host')} ready`;
}

/** Returns an error if a host is not ready. */
async function waitUntilReady(session: Session, addresses: readonly string[], timeoutMs: number) {
  const { terminal, printer } = session;
  const results = await waitWithProgress(session, addresses, timeoutMs);
  const notReady = results.filter(({ isReady }) => !isReady);
  for (const { address, status, reason } of notReady) {
    const still = status === 'failed' || status === 'removed' ? '' : 'still ';
    const reasonText = reason && `: ${sanitizeLine(reason, MAX_MESSAGE_LENGTH)}`;
    terminal.writeErr(`hostler: ${address} is ${still}${status}${reasonText}\n`);
  }
  const [first] = notReady;
  if (printer.isHumanReadable && (first === undefined || results.length > 1))
    terminal.writeOut(`${formatReady(results)}\n`);
  if (first === undefined) return undefined;
  const subject = results.length === 1 ? 'the host is' : `${notReady.length} of ${results.length} hosts are`;
  return failedError(`${subject} not ready. See: hostler host show ${first.address}`);
}

export async function add(session: Session, options: AddOptions, args: readonly string[]): Promise<void> {
  const { client, printer, terminal } = session;
  const { key, remoteUser, port, cluster, hostKey, transport, source, label = [] } = options;
  const addresses = await readAddresses(args, options.from, terminal);
  const labels = parseLabelChanges(label);
  const body = {
    ssh_priv_key: readPrivateKeyFile(key, terminal),
    remote_user: remoteUser,
    ssh_port: port,
    cluster,
    host_keys: hostKey?.flatMap(readHostKeyFile),
    transport,
    source,
  };
  const results = await enrol(session, addresses, body, labels);
  const rejected = results.filter(result => 'error' in result);
  const accepted = results.flatMap(result => ('host' in result ? [result.address] : []));
  const [first] = rejected;
  // A single error is printed as for other commands.
  if (addresses.length === 1 && first !== undefined) {
    const { exitCode, lines } = describeError(first.error, first.address);
    throw new CliError(exitCode, lines.join('\n'));
  }
  if (printer.isHumanReadable && accepted.length > 0) terminal.writeOut(`${formatEnrolled(results)}\n`);
  const notReadyError =
    options.wait && accepted.length > 0 ? await waitUntilReady(session, accepted, options.timeout) : undefined;
  if (!printer.isHumanReadable) {
    // The status of the hosts changes during the wait.
    const hosts = await mapConcurrent(accepted, async address => (await client.getHost({ address })).body);
    await printer.printStructured(hosts, accepted);
  }
  printRejections(session, rejected);
  if (rejected.length > 0)
    throw rejectedError(`${rejected.length} of ${formatCount(addresses.length, 'host')} rejected`);
  if (notReadyError) throw notReadyError;
}
