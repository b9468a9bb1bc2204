import type { Argv } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import { afterBadExit, afterFailure } from './outcomes.ts';
import type { HostLink, Outcome } from './step.ts';

/** Runs commands as root, one after the other; answers what went wrong, if something did. */
export async function runAll(
  link: HostLink,
  commands: readonly Argv[],
  timeoutMs: number,
): Promise<Outcome | undefined> {
  for (const argv of commands) {
    const ran = await link.run(argv, { timeoutMs, asRoot: true });
    if (ran instanceof TransportFailure) return afterFailure(ran);
    if (ran.exitCode !== 0) return afterBadExit(argv, ran);
  }
  return undefined;
}
