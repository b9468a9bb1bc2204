import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { rolloutTask, stepFixture } from '../../test/harness/rollout/step-fixtures.ts';
import type { Argv, CommandResult } from '../domain/command.ts';
import { EXIT_PERMANENT_FAILURE } from '../domain/command.ts';
import { Secret } from '../domain/secret.ts';
import { POLL_PREFIX, parsePollArgv } from './jobs/poll-script.ts';
import { parseStartArgv } from './jobs/start-script.ts';
import { runCommandPlan, runJobs } from './run-commands.ts';
import type { HostConnection, Outcome, StepContext } from './step.ts';

const PLAN = {
  commands: [{ argv: ['sh', '-c', 'cat'], input: new Secret('secret\n') }],
} as const;

const notCalled = async (): Promise<never> => {
  throw new Error('unexpected call');
};

/** Every command exits with this code. */
const connectionExiting = (exitCode: number): HostConnection => ({
  hostKey: notCalled,
  query: notCalled,
  run: async () => ({ exitCode, stdout: new Uint8Array(), stderr: Buffer.from('first\nit is full\n') }),
});

const contextWith = (connection: HostConnection) => ({
  connection,
  jobPrefix: 'x',
  clock: { monotonicMs: () => 0 },
  onOutput: () => {},
  onJobEnd: () => {},
});

test.each<[exitCode: number, outcome: Partial<Outcome> | undefined]>([
  [0, undefined],
  [1, { kind: 'retry', restartsJobs: true, problem: 'command_failed: sh exited with 1: it is full' }],
  [EXIT_PERMANENT_FAILURE, { kind: 'failed', problem: 'permanent_failure: it is full' }],
])('runCommandPlan maps exit code %i of a command with stdin', async (exitCode, outcome) => {
  const result = await runCommandPlan(contextWith(connectionExiting(exitCode)), PLAN);
  if (outcome === undefined) expect(result).toBeUndefined();
  else expect(result).toMatchObject(outcome);
});

test('runCommandPlan retries when /run is not writable, with the output of the failed command', async () => {
  const connection: HostConnection = {
    ...connectionExiting(1),
    run: async () => ({
      exitCode: 1,
      stdout: Buffer.from('hostler-error create_folder mkdir: Read-only file system\n'),
      stderr: new Uint8Array(),
    }),
  };
  const plan = { commands: [{ argv: ['true'] }] } as const;
  expect(await runCommandPlan(contextWith(connection), plan)).toMatchObject({
    kind: 'retry',
    restartsJobs: false,
    problem: 'run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system',
  });
});

test('runCommandPlan names missing programs and runs no command', async () => {
  const connection: HostConnection = {
    hostKey: notCalled,
    run: notCalled,
    query: async ({ argv: [program = '', ...args], parse }) => {
      const { status, stdout, stderr } = spawnSync(program, args);
      return parse({ exitCode: status ?? -1, stdout, stderr });
    },
  };
  const plan = {
    ...PLAN,
    requires: { programs: ['missing-kubeadm', 'sh', 'missing-kubelet'], installHint: 'install both' },
  };
  expect(await runCommandPlan(contextWith(connection), plan)).toMatchObject({
    kind: 'retry',
    problem: 'missing_program: the host does not have missing-kubeadm, missing-kubelet; install both',
  });
});

const toResult = (stdout: string): CommandResult => ({
  exitCode: 0,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(''),
});

/** Creates a host with a fixed duration per command, and records the started commands. */
function createHost(durationsS: Readonly<Record<string, number>>) {
  const started: string[] = [];
  let [passedMs, endsAtMs] = [0, 0];
  const run = async (argv: Argv): Promise<CommandResult> => {
    const job = parseStartArgv(argv);
    if (job) {
      started.push(job.argv[0]);
      endsAtMs = passedMs + (durationsS[job.argv[0]] ?? 0) * 1000;
      return toResult('');
    }
    const { waitS = 0 } = parsePollArgv(argv) ?? {};
    passedMs += Math.min(waitS * 1000, Math.max(0, endsAtMs - passedMs));
    return toResult(`${POLL_PREFIX} ${passedMs < endsAtMs ? 'running -' : 'ended 0'} 0 0\n`);
  };
  const connection: StepContext['connection'] = {
    hostKey: async () => '',
    run,
    query: async ({ argv, parse }) => parse(await run(argv)),
  };
  const { context } = stepFixture(rolloutTask('upgrade'), {});
  const clock = { monotonicMs: () => passedMs };
  return { started, context: { ...context, connection, clock }, passedMs: () => passedMs };
}

const COMMANDS: readonly Argv[] = [['first'], ['second'], ['third']];

test.each<[string, Readonly<Record<string, number>>, number, string, number]>([
  ['all commands together', { first: 30, second: 20, third: 10 }, 60, 'first second third', 60],
  ['the remaining time of a later command', { first: 50, second: 50 }, 60, 'first second', 60],
  ['later commands even when the first used all of it', { first: 60, second: 5 }, 60, 'first second', 60],
])('runJobs applies the timeout to %s', async (_case, durationsS, timeoutS, commands, passedS) => {
  const { context, started, passedMs } = createHost(durationsS);
  await runJobs(context, COMMANDS, timeoutS * 1000);
  expect([started.join(' '), passedMs() / 1000]).toEqual([commands, passedS]);
});
