import { harmless } from '../../../lib/harmless.ts';
import { plural } from '../../../lib/plural.ts';
import { CliProblem, EXIT } from '../../exit-codes.ts';
import { Progress } from '../../progress.ts';
import type { Session } from '../../session.ts';
import type { Waited } from './wait-for-hosts.ts';
import { waitForHosts } from './wait-for-hosts.ts';

const LONGEST = 2000;

/** Waits until hosts are ready, and tells how many are. */
export async function awaitReady(
  session: Session,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<readonly Waited[]> {
  const progress = new Progress(session.terminal);
  let [ready, failed] = [0, 0];
  const soFar = () => `waiting for ${plural(addresses.length, 'host')}: ${ready} ready, ${failed} failed`;
  progress.tell({ soFar: soFar() });
  try {
    return await waitForHosts(session, addresses, {
      timeoutMs,
      told: ({ address, status, isReady }) => {
        if (isReady) ready += 1;
        else failed += 1;
        progress.tell({ soFar: soFar(), happened: `host ${address} is ${status}` });
      },
    });
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
    terminal.tell(`hostler: ${address} is ${still}${status}${reason && `: ${harmless(reason, LONGEST)}`}\n`);
  }
  const which = waited.length === 1 ? 'the host is' : `${bad.length} of ${waited.length} hosts are`;
  return new CliProblem(
    EXIT.failed,
    `${which} not ready; what can be done is in: hostler host show ${first.address}`,
  );
}
