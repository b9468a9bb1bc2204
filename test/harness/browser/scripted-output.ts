import type { Argv } from '../../../src/domain/command.ts';
import { MAX_BYTES_PER_POLL, POLL_PREFIX, parsePollArgv } from '../../../src/procedures/jobs/poll-script.ts';
import { parseStartArgv } from '../../../src/procedures/jobs/start-script.ts';
import type { CommandSimulator, SimulatedMachine, SimulatedResult } from '../../../src/simulator/simulated-machine.ts';

/** Delay of a poll without new output. */
const PAUSE_MS = 50;

interface ScriptedJob {
  readonly command: RegExp;
  /** Name of the job, set when the job starts. */
  name: string | undefined;
  output: Buffer;
  hasEnded: boolean;
}

/**
 * Jobs of simulated hosts with output and end controlled by the test. It must precede the other simulators.
 */
export class ScriptedOutput implements CommandSimulator {
  readonly templates = {};
  readonly #jobs = new Map<string, ScriptedJob>();

  /** Controls the next job of the host whose command matches. */
  script(hostname: string, command: RegExp): void {
    this.#jobs.set(hostname, { command, name: undefined, output: Buffer.alloc(0), hasEnded: false });
  }

  isRunning(hostname: string): boolean {
    return this.#getJob(hostname).name !== undefined;
  }

  write(hostname: string, text: string): void {
    const scripted = this.#getJob(hostname);
    scripted.output = Buffer.concat([scripted.output, Buffer.from(text)]);
  }

  finish(hostname: string): void {
    this.#getJob(hostname).hasEnded = true;
  }

  execute({ hostname }: SimulatedMachine, argv: Argv): SimulatedResult | undefined {
    const scripted = this.#jobs.get(hostname);
    if (scripted === undefined) return undefined;
    const job = parseStartArgv(argv);
    // The other simulators apply the effects of the command.
    if (job !== undefined && scripted.command.test(job.argv.join(' '))) scripted.name ??= job.name;
    const poll = parsePollArgv(argv);
    return poll !== undefined && poll.name === scripted.name ? pollResult(scripted, poll.offset) : undefined;
  }

  #getJob(hostname: string): ScriptedJob {
    const scripted = this.#jobs.get(hostname);
    if (scripted === undefined) throw new Error(`no scripted job of ${hostname}`);
    return scripted;
  }
}

function pollResult({ output, hasEnded }: ScriptedJob, offset: number): SimulatedResult {
  const state = hasEnded ? 'ended 0' : 'running -';
  const newOutput = output.subarray(offset, offset + MAX_BYTES_PER_POLL);
  const line = `${POLL_PREFIX} ${state} ${output.length} ${offset}\n`;
  return {
    exitCode: 0,
    stdout: Buffer.concat([Buffer.from(line), newOutput]),
    stderr: Buffer.alloc(0),
    durationMs: newOutput.length > 0 || hasEnded ? 0 : PAUSE_MS,
  };
}
