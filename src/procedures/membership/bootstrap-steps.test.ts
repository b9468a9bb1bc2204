import { expect, test } from 'vitest';
import { toy } from '../../../test/example-drivers/toy-os.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { Argv } from '../../domain/command.ts';
import { newHost } from '../../domain/hosts/host.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { createOsRegistry } from '../../drivers/os/index.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { POLL_PREFIX } from '../jobs/poll-script.ts';
import { parseStartArgv } from '../jobs/start-script.ts';
import type { StepContext } from '../step.ts';
import { installPrerequisites } from './bootstrap-steps.ts';

const HOST = '127.0.0.1' as Address;
const exit = (exitCode: number, stdout = '') => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(''),
});

/** Creates a host that answers commands and jobs with `replyTo`, and records the commands. */
function hostReplying(
  replyTo: (argv: Argv) => ReturnType<typeof exit> | TransportFailure,
  driver: Partial<OsDriver> = {},
) {
  const commands: string[] = [];
  let lastJob: ReturnType<typeof exit> = exit(0);
  const run = async (argv: Argv, { asRoot = false }) => {
    const job = parseStartArgv(argv);
    const command = job?.argv ?? argv;
    commands.push(`${asRoot ? '# ' : '$ '}${job ? `${job.name}: ` : ''}${command.join(' ')}`);
    const response = replyTo(command);
    if (job === undefined || response instanceof TransportFailure) return response;
    lastJob = response;
    return exit(0);
  };
  const context: StepContext<TaskOf<'bootstrap'>> = {
    task: { kind: 'bootstrap', host: HOST, enrolment: 'e' },
    host: { ...newHost(HOST, { enrolment: 'e' }), os: 'toyos', osDriver: 'toy' },
    os: createOsRegistry([{ ...toy, ...driver }]),
    hasPinnedHostKeys: true,
    jobPrefix: 'jobs',
    state: INITIAL_TASK_STATE,
    nowMs: 0,
    abortReason: null,
    onOutput: () => {},
    onJobEnd: () => {},
    mayReboot: async () => true,
    serverBootIds: async () => [],
    clock: systemClock,
    connection: {
      hostKey: async () => 'ssh-ed25519 AAAA',
      run,
      query: async hostQuery => hostQuery.parse(exit(0, `${POLL_PREFIX} ended ${lastJob.exitCode} 0 0\n`)),
    },
    networkRecord: async () => null,
    openNetwork: async () => {
      throw new Error('unexpected network');
    },
    managerRecord: async () => null,
    openManager: async () => {
      throw new Error('unexpected container manager');
    },
  };
  return { context, commands };
}

const asRoot = ([program]: Argv) => (program === 'id' ? exit(0, '0\n') : exit(0));

test('installPrerequisites checks for root, then installs the packages of the driver', async () => {
  const { context, commands } = hostReplying(asRoot, { requiredPackages: ['one', 'two'] });
  expect(await installPrerequisites.run(context)).toMatchObject({
    kind: 'done',
    result: { packages: 'one two' },
  });
  expect(commands).toEqual(['# id -u', '# jobs-0: toybox add --yes one two']);
});

test('installPrerequisites ignores output of a login profile', async () => {
  const { context } = hostReplying(() => exit(0, 'Welcome!\n0\n'));
  expect(await installPrerequisites.run(context)).toMatchObject({ kind: 'done' });
});

test.each([
  ['is not root', exit(0, '1000\n'), 'failed', /^not_root: /],
  ['needs a sudo password', exit(1), 'failed', /^not_root: /],
  [
    'loses the connection',
    new TransportFailure('unreachable', 'connection lost'),
    'retry',
    /^unreachable: connection lost/,
  ],
])('installPrerequisites does not succeed when the user %s', async (_case, response, kind, problem) => {
  const { context } = hostReplying(() => response);
  expect(await installPrerequisites.run(context)).toMatchObject({
    kind,
    problem: expect.stringMatching(problem),
  });
});

test('installPrerequisites retries when a package cannot be installed', async () => {
  const { context } = hostReplying(argv => (argv[0] === 'id' ? exit(0, '0\n') : exit(1)), {
    requiredPackages: ['one'],
  });
  expect(await installPrerequisites.run(context)).toEqual({
    kind: 'retry',
    problem: 'command_failed: toybox exited with 1',
    restartsJobs: true,
    isUnresponsive: false,
  });
});

test('installPrerequisites fails when the OS does not support packages', async () => {
  const { context } = hostReplying(asRoot, { requiredPackages: ['one'], install: () => undefined });
  expect(await installPrerequisites.run(context)).toMatchObject({
    kind: 'failed',
    problem: expect.stringMatching(/^packages_not_supported/),
  });
});
