import { NEVER } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { HostCommand, HostTask } from '../drivers/host-task.ts';
import { lastLine } from '../lib/text/harmless.ts';
import { jobNameOf } from './jobs/job.ts';
import { runJob } from './jobs/run-job.ts';
import { afterFailure, afterJob, again, againAnew, failed, retryOnScriptError } from './outcomes.ts';
import { missingOf } from './programs.ts';
import type { JobContext, Outcome } from './step.ts';
import { ASK_TIMEOUT_MS, INSTALL_TIMEOUT_MS } from './time-limits.ts';

/** What is given something to read is over soon; a daemon that it speaks to may take its time. */
const INPUT_TIMEOUT_MS = 120_000;

/**
 * Has a host do what a driver says; answers what keeps it from being done, if something does. Tried again, it goes on where it was. It
 * fails for good only where a command says so, or the host cannot be trusted.
 */
export async function carryOut(context: JobContext, task: HostTask): Promise<Outcome | undefined> {
  return (
    (await needProblem(context, task)) ??
    (await commandProblem(context, task)) ??
    (await proofProblem(context, task))
  );
}

async function needProblem({ link }: JobContext, { needs, hint }: HostTask): Promise<Outcome | undefined> {
  if (needs.length === 0) return undefined;
  const missing = await link.ask(missingOf(needs), { timeoutMs: ASK_TIMEOUT_MS, asRoot: true });
  if (missing instanceof TransportFailure) return afterFailure(missing);
  if (missing === undefined) return again('unexpected_output: cannot parse the list of missing programs');
  return missing.length === 0
    ? undefined
    : again(`missing_program: the host does not have ${missing.join(', ')}; ${hint}`);
}

async function commandProblem(context: JobContext, { commands }: HostTask): Promise<Outcome | undefined> {
  for (const [number, command] of commands.entries()) {
    const problem =
      command.input === undefined
        ? await jobProblem(context, command, number)
        : await inputProblem(context, command);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

async function jobProblem(
  { link, jobsName, clock, hear, jobEnded }: JobContext,
  { argv }: HostCommand,
  number: number,
): Promise<Outcome | undefined> {
  const job = { name: jobNameOf(jobsName, number), argv };
  const options = { timeoutMs: INSTALL_TIMEOUT_MS, clock, onOutput: hear, onEnd: jobEnded };
  const result = await runJob(link, job, options);
  const isNever = 'kind' in result && result.kind === 'ended' && result.exitCode === NEVER;
  if (isNever) return failed(`permanent_failure: ${lastLine(result.output)}`);
  return afterJob(argv, result, retryOnScriptError);
}

async function inputProblem(
  { link, hear }: JobContext,
  { argv, input }: HostCommand,
): Promise<Outcome | undefined> {
  const ran = await link.run(argv, {
    timeoutMs: INPUT_TIMEOUT_MS,
    asRoot: true,
    ...(input && { input }),
  });
  if (ran instanceof TransportFailure) return afterFailure(ran);
  hear(ran.stderr);
  if (ran.exitCode === 0) return undefined;
  const said = lastLine(ran.stderr) || lastLine(ran.stdout);
  if (ran.exitCode === NEVER) return failed(`permanent_failure: ${said}`);
  return againAnew(`command_failed: ${argv[0]} exited with ${ran.exitCode}${said && `: ${said}`}`);
}

async function proofProblem({ link }: JobContext, { proof }: HostTask): Promise<Outcome | undefined> {
  if (proof === undefined) return undefined;
  const missing = await link.ask(proof, { timeoutMs: ASK_TIMEOUT_MS, asRoot: true });
  if (missing instanceof TransportFailure) return afterFailure(missing);
  if (missing === undefined)
    return again('unexpected_output: cannot parse the output of the verification command');
  return missing === '' ? undefined : again(`not_ready_yet: ${missing}`);
}
