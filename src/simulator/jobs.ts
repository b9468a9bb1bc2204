// Simulates jobs and reboots. Their state is in the files under /run.

import type { Argv } from '../domain/command.ts';
import type { Job } from '../procedures/jobs/job.ts';
import { JOBS_FOLDER } from '../procedures/jobs/job.ts';
import type { PollRequest } from '../procedures/jobs/poll-script.ts';
import { MAX_BYTES_PER_POLL, POLL_PREFIX, parsePollArgv } from '../procedures/jobs/poll-script.ts';
import { parseStartArgv } from '../procedures/jobs/start-script.ts';
import { isFindCommand } from '../procedures/run-commands.ts';
import { isRunFolderQuery, RUN_IS_WRITABLE } from '../procedures/run-folder.ts';
import { ERROR_MARKER } from '../procedures/script-error.ts';
import type { CommandCaller, CommandSimulator, SimulatedMachine, SimulatedResult } from './simulated-machine.ts';
import { simulatedResult } from './simulated-machine.ts';

/** The path relative to /run, as in `SimulatedMachine.runFiles`. */
export const jobFile = (name: string, file: string): string => `${JOBS_FOLDER.replace('/run/', '')}/${name}/${file}`;

export const readOnlyRunReply = (name: string): SimulatedResult =>
  simulatedResult(1, `${ERROR_MARKER} write_file sh: 1: cannot create ${JOBS_FOLDER}/${name}: Read-only file system\n`);

// The state of a job is under /run, so a boot removes it. The command takes effect when the job starts; the job ends
// after the duration of the command.

function replyToStart(machine: SimulatedMachine, { name, argv }: Job, caller: CommandCaller): SimulatedResult {
  if (!caller.isRoot) return simulatedResult(1, '', 'mkdir: Permission denied\n');
  const { runFiles } = machine;
  if (runFiles.has(jobFile(name, 'code'))) return simulatedResult(0);
  if (machine.isRunReadOnly) return readOnlyRunReply(name);
  const { exitCode, stdout, stderr, durationMs = 0 } = machine.execute(argv, caller);
  runFiles.set(jobFile(name, 'code'), String(exitCode));
  runFiles.set(jobFile(name, 'out'), Buffer.concat([stdout, stderr]).toString('latin1'));
  runFiles.set(jobFile(name, 'started-at-ms'), String(machine.uptimeMs));
  runFiles.set(jobFile(name, 'ends-at-ms'), String(machine.uptimeMs + durationMs));
  return simulatedResult(0);
}

/** Computes the result at the end of the wait and returns it with the duration of the wait. */
function replyToPoll(
  { runFiles, uptimeMs, isRunReadOnly }: SimulatedMachine,
  { name, offset, waitS }: PollRequest,
): SimulatedResult {
  const code = runFiles.get(jobFile(name, 'code'));
  const leftMs = Math.max(0, Number(runFiles.get(jobFile(name, 'ends-at-ms')) ?? 0) - uptimeMs);
  const durationMs = Math.min(leftMs, waitS * 1000);
  const hasEnded = code !== undefined && durationMs === leftMs;
  const state = code === undefined ? 'none -' : hasEnded ? `ended ${code}` : 'running -';
  const output = hasEnded ? (runFiles.get(jobFile(name, 'out')) ?? '') : '';
  const report = hasEnded && !runFiles.has(jobFile(name, 'reported')) ? 'first' : '-';
  if (hasEnded && !isRunReadOnly) runFiles.set(jobFile(name, 'reported'), '');
  const ago = (file: string) => Math.floor((uptimeMs + durationMs - Number(runFiles.get(jobFile(name, file)))) / 1000);
  const times = code === undefined ? '- -' : `${ago('started-at-ms')} ${hasEnded ? ago('ends-at-ms') : '-'}`;
  const line = `${POLL_PREFIX} ${state} ${output.length} ${offset} ${report} ${times}\n`;
  // One character of `latin1` is one byte.
  const reply = Buffer.from(line + output.slice(offset, offset + MAX_BYTES_PER_POLL), 'latin1');
  return { ...simulatedResult(0, reply), durationMs };
}

export const simulatedJobs: CommandSimulator = {
  templates: {},
  nestedCommand: (argv: Argv) => parseStartArgv(argv)?.argv,
  execute: (machine, argv, caller) => {
    const job = parseStartArgv(argv);
    if (job !== undefined) return replyToStart(machine, job, caller);
    if (isRunFolderQuery(argv))
      return machine.isRunReadOnly ? readOnlyRunReply('.probe') : simulatedResult(0, RUN_IS_WRITABLE);
    const request = parsePollArgv(argv);
    return request && replyToPoll(machine, request);
  },
};

/** Simulated hosts have every program that a procedure requires. */
export const simulatedPrograms: CommandSimulator = {
  templates: {},
  execute: (_machine, argv) => (isFindCommand(argv) ? simulatedResult(0) : undefined),
};
