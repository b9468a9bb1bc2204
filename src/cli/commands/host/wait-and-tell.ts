import { harmless, LONGEST_SENTENCE } from '../../../lib/text/harmless.ts';
import { plural } from '../../../lib/text/plural.ts';
import { EXIT } from '../../../program/exit-codes.ts';
import { CliProblem } from '../../cli-problem.ts';
import { ProgressLine } from '../../progress-line.ts';
import type { Session } from '../../session.ts';
import { untilInterrupted } from '../../until-interrupted.ts';
import type { Waited } from './wait-for-hosts.ts';
import { waitForHosts } from './wait-for-hosts.ts';

/** Waits until hosts are ready, and tells how many are. After Ctrl-C they are as when the time is over: the work is the service's, and goes on. */
export async function waitAndTell(
  session: Session,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<readonly Waited[]> {
  const progress = new ProgressLine(session.terminal);
  let [ready, failed] = [0, 0];
  const soFar = () => `waiting for ${plural(addresses.length, 'host')}: ${ready} ready, ${failed} failed`;
  progress.tell({ soFar: soFar() });
  const told = ({ address, status, isReady }: Waited) => {
    if (isReady) ready += 1;
    else failed += 1;
    progress.tell({ soFar: soFar(), happened: `host ${address} is ${status}` });
  };
  try {
    return await untilInterrupted(session.terminal, signal =>
      waitForHosts(session, addresses, { timeoutMs, signal, told }),
    );
  } finally {
    progress.clear();
  }
}

/** Tells which are not ready and why. */
export function notReadyProblem({ terminal }: Session, waited: readonly Waited[]): CliProblem | undefined {
  const bad = waited.filter(({ isReady }) => !isReady);
  const [first] = bad;
  if (first === undefined) return undefined;
  for (const { address, status, reason } of bad) {
    const still = status === 'failed' || status === 'removed' ? '' : 'still ';
    terminal.tell(
      `hostler: ${address} is ${still}${status}${reason && `: ${harmless(reason, LONGEST_SENTENCE)}`}\n`,
    );
  }
  const which = waited.length === 1 ? 'the host is' : `${bad.length} of ${waited.length} hosts are`;
  return new CliProblem(EXIT.failed, `${which} not ready. See: hostler host show ${first.address}`);
}
