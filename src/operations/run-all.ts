import type { Argv } from '../domain/command.ts';
import { jobNameOf } from './jobs/job.ts';
import { runJob } from './jobs/run-job.ts';
import type { OnScriptError } from './outcomes.ts';
import { afterJob } from './outcomes.ts';
import type { JobContext, Outcome } from './step.ts';

/**
 * Runs commands as root, one after the other, each as a job of its own; answers what went wrong, if something did. Tried again, it
 * goes on where it was; in a new round it begins with the first.
 */
export async function runAll(
  { link, jobsName, clock, hear, jobEnded }: JobContext,
  commands: readonly Argv[],
  timeoutMs: number,
  onScriptError?: OnScriptError,
): Promise<Outcome | undefined> {
  const untilMs = clock.monotonicMs() + timeoutMs;
  for (const [number, argv] of commands.entries()) {
    const job = { name: jobNameOf(jobsName, number), argv };
    const leftMs = Math.max(0, untilMs - clock.monotonicMs());
    const result = await runJob(link, job, { timeoutMs: leftMs, clock, onOutput: hear, onEnd: jobEnded });
    const problem = afterJob(argv, result, onScriptError);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
