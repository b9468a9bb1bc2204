import type { Argv, Ran } from '../domain/command.ts';
import type { Learned } from '../domain/learned.ts';
import type { TransportFailure } from '../domain/transport-failure.ts';
import type { StepResult } from '../domain/work.ts';
import { lastLine } from '../lib/harmless.ts';
import type { Outcome } from './step.ts';

export const done = (result: StepResult = {}, learned: Learned = {}): Outcome => ({
  kind: 'done',
  result,
  learned,
});

export const again = (problem: string): Outcome => ({ kind: 'again', problem });

export const failed = (problem: string, learned: Learned = {}): Outcome => ({
  kind: 'failed',
  problem,
  learned,
});

/** What it means for a step that the host could not be spoken to. */
export function afterFailure(failure: TransportFailure): Outcome {
  if (failure.isWorthRetrying) return again(String(failure));
  return failed(String(failure), failure.kind === 'host_key_changed' ? distrust(failure) : {});
}

/** What is learnt from a host that shows another key. */
export const distrust = ({ offeredKey }: TransportFailure): Learned => ({
  cause: 'distrusted',
  ...(offeredKey !== undefined && { offeredKey }),
});

/** Asks something of a container manager; answers what follows if it does not do it. */
export async function askManager(ask: () => Promise<void>): Promise<Outcome | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    return again(`container_manager: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A command that ended otherwise than it should: perhaps the mirror was away, or another had the lock. */
export function afterBadExit([program]: Argv, { exitCode, stderr, stdout }: Ran): Outcome {
  const quote = lastLine(stderr) || lastLine(stdout);
  return again(`command_failed: ${program} ended with ${exitCode}${quote && `: ${quote}`}`);
}
