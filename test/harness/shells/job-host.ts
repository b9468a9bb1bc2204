import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { Argv, CommandResult } from '../../../src/domain/command.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import { systemClock } from '../../../src/lib/time/clock.ts';
import type { JobPoll } from '../../../src/procedures/jobs/job-poll.ts';
import { pollJob } from '../../../src/procedures/jobs/job-poll.ts';
import type { JobOptions, JobResult } from '../../../src/procedures/jobs/run-job.ts';
import { runJob } from '../../../src/procedures/jobs/run-job.ts';
import { startArgv } from '../../../src/procedures/jobs/start-script.ts';
import type { PrivateRun, Shell } from './private-run.ts';
import { describeOnEachShell, openPrivateRun } from './private-run.ts';

const LONG = { timeoutMs: 60_000, asRoot: true };

/** One character is one byte. */
export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
export const sh = (script: string): Argv => ['sh', '-c', script];

function succeeded<Answer>(answer: Answer | TransportFailure | undefined): Answer {
  if (answer === undefined || answer instanceof TransportFailure) throw new Error(`it answered ${answer}`);
  return answer;
}

/** What came of a job, in short. */
function inShort(result: JobResult): string {
  if (result.kind === 'unreadable' || result.kind === 'unknown_to_host') return result.kind;
  if (result.kind === 'not_started') return `${result.kind}: ${text(result.commandResult.stderr)}`.trim();
  if (result.kind === 'script_error') return String(result.error);
  const code = result.kind === 'ended' ? ` ${result.exitCode}` : '';
  return `${result.kind}${code}: ${text(result.output)}`.trim();
}

/** This machine as a host on which jobs are run, and what tests ask of it. */
export class JobHost {
  readonly #host: PrivateRun;
  #names = 0;

  constructor(host: PrivateRun) {
    this.#host = host;
  }

  bash = (script: string): Promise<string> => this.#host.bash(script);
  spawn = (argv: Argv) => this.#host.spawn(argv);

  newName(): string {
    this.#names += 1;
    return `job-${this.#names}`;
  }

  async run(argv: Argv, name = this.newName(), options: Omit<JobOptions, 'clock'> = LONG): Promise<string> {
    const given = { ...options, clock: systemClock };
    return inShort(succeeded(await runJob(this.#host.link, { name, argv }, given)));
  }

  async start(name: string, argv: Argv): Promise<CommandResult> {
    return succeeded(await this.#host.link.run(startArgv({ name, argv }), LONG));
  }

  async look(name: string, offset = 0, waitS = 0): Promise<JobPoll> {
    return succeeded(await this.#host.link.query(pollJob({ name, offset, waitS }), LONG));
  }

  async isThere(file: string): Promise<boolean> {
    return (await this.bash(`[ -e ${file} ] && echo yes`)) !== '';
  }

  async until(isSo: () => Promise<boolean>): Promise<void> {
    await vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: 15_000, interval: 50 });
  }
}

/** As `describe`, on a host for each shell. */
export function describeJobs(name: string, tests: (host: () => JobHost, shell: Shell) => void): void {
  describeOnEachShell(name, shell => {
    let opened: PrivateRun;
    let host: JobHost;
    beforeAll(async () => {
      opened = await openPrivateRun(shell);
      host = new JobHost(opened);
    });
    afterAll(() => opened.close());
    tests(() => host, shell);
  });
}
