import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Argv, CommandResult } from '../domain/command.ts';
import { EXIT_PERMANENT_FAILURE } from '../domain/command.ts';
import { Secret } from '../domain/secret.ts';
import { POLL_PREFIX, parsePollArgv } from './jobs/poll-script.ts';
import { parseStartArgv } from './jobs/start-script.ts';
import { rolloutTask, stepFixture } from './rollout/step-fixtures.ts';
import { runCommandPlan, runJobs } from './run-commands.ts';
import type { HostConnection, Outcome, StepContext } from './step.ts';

const PLAN = {
  requiredPrograms: [],
  installHint: '',
  commands: [{ argv: ['sh', '-c', 'cat'], input: new Secret('hush\n') }],
} as const;

const notCalled = async (): Promise<never> => {
  throw new Error('nobody asks this here');
};

/** A host on which every command ends so. */
const connectionExiting = (exitCode: number): HostConnection => ({
  hostKey: notCalled,
  query: notCalled,
  run: async () => ({ exitCode, stdout: new Uint8Array(), stderr: Buffer.from('first\nit is full\n') }),
});

const contextWith = (link: HostConnection) => ({
  connection: link,
  jobPrefix: 'x',
  clock: { monotonicMs: () => 0 },
  onOutput: () => {},
  onJobEnd: () => {},
});

test.each<[exitCode: number, outcome: Partial<Outcome> | undefined]>([
  [0, undefined],
  [1, { kind: 'retry', restartsJobs: true, problem: 'command_failed: sh exited with 1: it is full' }],
  [EXIT_PERMANENT_FAILURE, { kind: 'failed', problem: 'permanent_failure: it is full' }],
])('a command that reads something and ends with %i', async (exitCode, outcome) => {
  const result = await runCommandPlan(contextWith(connectionExiting(exitCode)), PLAN);
  if (outcome === undefined) expect(result).toBeUndefined();
  else expect(result).toMatchObject(outcome);
});

test('an unwritable /run is retried, with the output of the command that failed', async () => {
  const link: HostConnection = {
    ...connectionExiting(1),
    run: async () => ({
      exitCode: 1,
      stdout: Buffer.from('hostler-error create_folder mkdir: Read-only file system\n'),
      stderr: new Uint8Array(),
    }),
  };
  const plan = { requiredPrograms: [], installHint: '', commands: [{ argv: ['true'] }] } as const;
  expect(await runCommandPlan(contextWith(link), plan)).toMatchObject({
    kind: 'retry',
    restartsJobs: false,
    problem: 'run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system',
  });
});

test('programs that the host does not have are named, and nothing is run on it', async () => {
  const link: HostConnection = {
    hostKey: notCalled,
    run: notCalled,
    query: async ({ argv: [program = '', ...args], parse }) => {
      const { status, stdout, stderr } = spawnSync(program, args);
      return parse({ exitCode: status ?? -1, stdout, stderr });
    },
  };
  const plan = {
    ...PLAN,
    requiredPrograms: ['kubeadm-of-nobody', 'sh', 'kubelet-of-nobody'],
    installHint: 'install both',
  };
  expect(await runCommandPlan(contextWith(link), plan)).toMatchObject({
    kind: 'retry',
    problem: 'missing_program: the host does not have kubeadm-of-nobody, kubelet-of-nobody; install both',
  });
});

const toResult = (stdout: string): CommandResult => ({
  exitCode: 0,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(''),
});

/** A host on which each command takes so many seconds, and what was started there. */
function hostWith(takesS: Readonly<Record<string, number>>) {
  const started: string[] = [];
  let [passedMs, endsAtMs] = [0, 0];
  const run = async (argv: Argv): Promise<CommandResult> => {
    const job = parseStartArgv(argv);
    if (job) {
      started.push(job.argv[0]);
      endsAtMs = passedMs + (takesS[job.argv[0]] ?? 0) * 1000;
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
  ['all of them', { first: 30, second: 20, third: 10 }, 60, 'first second third', 60],
  ['what is left of it', { first: 50, second: 50 }, 60, 'first second', 60],
  ['nobody else, when the first has taken it', { first: 60, second: 5 }, 60, 'first second', 60],
])('the time is for %s', async (_what, takesS, timeoutS, commands, passedS) => {
  const { context, started, passedMs } = hostWith(takesS);
  await runJobs(context, COMMANDS, timeoutS * 1000);
  expect([started.join(' '), passedMs() / 1000]).toEqual([commands, passedS]);
});
