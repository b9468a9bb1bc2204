import { afterAll, beforeAll } from 'vitest';
import type { Argv, CommandResult } from '../../../src/domain/command.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import { systemClock } from '../../../src/lib/time/clock.ts';
import { JOBS_FOLDER } from '../../../src/procedures/jobs/job.ts';
import type { JobPoll } from '../../../src/procedures/jobs/job-poll.ts';
import { pollJob } from '../../../src/procedures/jobs/job-poll.ts';
import type { JobOptions, JobResult } from '../../../src/procedures/jobs/run-job.ts';
import { runJob } from '../../../src/procedures/jobs/run-job.ts';
import { startArgv } from '../../../src/procedures/jobs/start-script.ts';
import type { IsolatedHost, Shell } from './isolated-host.ts';
import { describeOnEachShell, openIsolatedHost } from './isolated-host.ts';

const LIMITS = { timeoutMs: 60_000, asRoot: true };

/** One character per byte. */
export const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
export const sh = (script: string): Argv => ['sh', '-c', script];

function expectSuccess<Result>(result: Result | TransportFailure | undefined): Result {
  if (result === undefined || result instanceof TransportFailure) throw new Error(`it answered ${result}`);
  return result;
}

function summarize(result: JobResult): string {
  if (result.kind === 'unreadable' || result.kind === 'unknown_to_host') return result.kind;
  if (result.kind === 'not_started') return `${result.kind}: ${toText(result.commandResult.stderr)}`.trim();
  if (result.kind === 'script_error') return String(result.error);
  const code = result.kind === 'ended' ? ` ${result.exitCode}` : '';
  return `${result.kind}${code}: ${toText(result.output)}`.trim();
}

/** This machine as a host for jobs. */
export class JobHost {
  readonly #host: IsolatedHost;
  #nameCount = 0;

  constructor(host: IsolatedHost) {
    this.#host = host;
  }

  bash = (script: string): Promise<string> => this.#host.bash(script);
  spawn = (argv: Argv) => this.#host.spawn(argv);

  newName(): string {
    this.#nameCount += 1;
    return `job-${this.#nameCount}`;
  }

  async run(argv: Argv, name = this.newName(), options: Omit<JobOptions, 'clock'> = LIMITS): Promise<string> {
    const jobOptions = { ...options, clock: systemClock };
    return summarize(expectSuccess(await runJob(this.#host.connection, { name, argv }, jobOptions)));
  }

  async start(name: string, argv: Argv): Promise<CommandResult> {
    return expectSuccess(await this.#host.connection.run(startArgv({ name, argv }), LIMITS));
  }

  async poll(name: string, offset = 0, waitS = 0): Promise<JobPoll> {
    return expectSuccess(await this.#host.connection.query(pollJob({ name, offset, waitS }), LIMITS));
  }

  /** The folder of a job that has not written its files yet. */
  async createJobFolder(name: string): Promise<void> {
    await this.bash(`mkdir -p -m 0700 ${JOBS_FOLDER} && mkdir ${JOBS_FOLDER}/${name}`);
  }

  async exists(file: string): Promise<boolean> {
    return (await this.bash(`[ -e ${file} ] && echo yes`)) !== '';
  }
}

/** Like `describe`, with a host for each shell. */
export function describeJobs(name: string, tests: (host: () => JobHost, shell: Shell) => void): void {
  describeOnEachShell(name, shell => {
    let opened: IsolatedHost;
    let host: JobHost;
    beforeAll(async () => {
      opened = await openIsolatedHost(shell);
      host = new JobHost(opened);
    });
    afterAll(() => opened.close());
    tests(() => host, shell);
  });
}
