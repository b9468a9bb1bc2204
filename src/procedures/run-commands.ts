import type { Argv, HostQuery } from '../domain/command.ts';
import { EXIT_PERMANENT_FAILURE, parseScriptArgs, scriptArgv } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { CommandPlan, HostCommand } from '../drivers/command-plan.ts';
import { lastLine } from '../lib/sanitize.ts';
import { jobName } from './jobs/job.ts';
import { runJob } from './jobs/run-job.ts';
import type { OnScriptError } from './outcomes.ts';
import {
  describeExit,
  failed,
  fromJobResult,
  fromTransportFailure,
  retry,
  retryOnScriptError,
  retryWithNewJobs,
} from './outcomes.ts';
import { queryHost } from './query-host.ts';
import { INSTALL_TIMEOUT_MS } from './retry-policies.ts';
import type { JobContext, Outcome } from './step.ts';

const FIND_SCRIPT = 'for program; do command -v "$program" >/dev/null 2>&1 || printf "%s\\n" "$program"; done';

const lines = (bytes: Uint8Array) => Buffer.from(bytes).toString().split('\n').filter(Boolean);

const missingProgramsQuery = (programs: readonly string[]): HostQuery<readonly string[]> => ({
  argv: scriptArgv(FIND_SCRIPT, ...programs),
  parse: ({ exitCode, stdout }) => (exitCode === 0 ? lines(stdout) : undefined),
});

export const isFindCommand = (argv: Argv): boolean => parseScriptArgs(FIND_SCRIPT, argv) !== undefined;

/** These commands are short, but the daemon behind them can be slow. */
const STDIN_COMMAND_TIMEOUT_MS = 120_000;

/** Returns `undefined` on success. A retry resumes at the interrupted job. */
export async function runCommandPlan(context: JobContext, plan: CommandPlan): Promise<Outcome | undefined> {
  return (
    (await checkPrograms(context, plan)) ?? (await runCommands(context, plan)) ?? (await checkReady(context, plan))
  );
}

async function checkPrograms(context: JobContext, { requires }: CommandPlan): Promise<Outcome | undefined> {
  if (requires === undefined) return undefined;
  const result = await queryHost(context, missingProgramsQuery(requires.programs), 'the list of missing programs');
  if ('outcome' in result) return result.outcome;
  const missing = result.value;
  return missing.length === 0
    ? undefined
    : retry(`missing_program: the host does not have ${missing.join(', ')}; ${requires.installHint}`);
}

async function runCommands(context: JobContext, { commands }: CommandPlan): Promise<Outcome | undefined> {
  for (const [index, command] of commands.entries()) {
    const outcome =
      command.input === undefined
        ? await runJobs(context, [command.argv], INSTALL_TIMEOUT_MS, retryOnScriptError, index)
        : await runWithStdin(context, command);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

async function runWithStdin(
  { connection, onOutput }: JobContext,
  { argv, input }: HostCommand,
): Promise<Outcome | undefined> {
  const options = { timeoutMs: STDIN_COMMAND_TIMEOUT_MS, asRoot: true, ...(input && { input }) };
  const result = await connection.run(argv, options);
  if (result instanceof TransportFailure) return fromTransportFailure(result);
  onOutput(result.stderr);
  if (result.exitCode === 0) return undefined;
  if (result.exitCode === EXIT_PERMANENT_FAILURE)
    return failed(`permanent_failure: ${lastLine(result.stderr) || lastLine(result.stdout)}`);
  return retryWithNewJobs(`command_failed: ${argv[0]} ${describeExit(result)}`);
}

async function checkReady(context: JobContext, { readyQuery }: CommandPlan): Promise<Outcome | undefined> {
  if (readyQuery === undefined) return undefined;
  const missing = await queryHost(context, readyQuery, 'the output of the verification command');
  if ('outcome' in missing) return missing.outcome;
  return missing.value === '' ? undefined : retry(`not_ready_yet: ${missing.value}`);
}

/** A new round starts with the first command. The timeout covers all commands. */
export async function runJobs(
  { connection, jobPrefix, clock, onOutput, onJobEnd }: JobContext,
  commands: readonly Argv[],
  timeoutMs: number,
  onScriptError?: OnScriptError,
  firstIndex = 0,
): Promise<Outcome | undefined> {
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  for (const [index, argv] of commands.entries()) {
    const job = { name: jobName(jobPrefix, firstIndex + index), argv };
    const remainingMs = Math.max(0, deadlineMs - clock.monotonicMs());
    const result = await runJob(connection, job, { timeoutMs: remainingMs, clock, onOutput, onEnd: onJobEnd });
    const outcome = fromJobResult(argv, result, onScriptError);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}
