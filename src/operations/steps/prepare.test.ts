import { expect, test } from 'vitest';
import { toy } from '../../../test/toy-os/toy.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { Argv } from '../../domain/command.ts';
import { newHost } from '../../domain/hosts/host.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { NOT_BEGUN } from '../../domain/work/work.ts';
import { createOsRegistry } from '../../drivers/os/index.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { LOOK_BEGIN } from '../jobs/look-script.ts';
import { startedBy } from '../jobs/start-script.ts';
import { withAHost } from '../patience.ts';
import type { StepContext } from '../step.ts';
import { prepare } from './prepare.ts';

const HOST = '127.0.0.1' as Address;
const exit = (exitCode: number, stdout = '') => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(''),
});

/** A host that answers as told, also when a command is run as a job, and what was run on it as root. */
function hostThat(
  answers: (argv: Argv) => ReturnType<typeof exit> | TransportFailure,
  driver: Partial<OsDriver> = {},
) {
  const ran: string[] = [];
  let ended: ReturnType<typeof exit> = exit(0);
  const run = async (argv: Argv, { asRoot = false }) => {
    const job = startedBy(argv);
    const command = job?.argv ?? argv;
    ran.push(`${asRoot ? '# ' : '$ '}${job ? `${job.name}: ` : ''}${command.join(' ')}`);
    const answer = answers(command);
    if (job === undefined || answer instanceof TransportFailure) return answer;
    ended = answer;
    return exit(0);
  };
  const context: StepContext<WorkOf<'bootstrap'>> = {
    work: { kind: 'bootstrap', host: HOST, enrolment: 'e' },
    host: { ...newHost(HOST, { enrolment: 'e' }), os: 'toyos', osDriver: 'toy' },
    os: createOsRegistry([{ ...toy, ...driver }]),
    isPinned: true,
    jobsName: 'jobs',
    progress: NOT_BEGUN,
    nowMs: 0,
    unwanted: null,
    hear: () => {},
    jobEnded: () => {},
    mayReboot: async () => true,
    serverBootIds: async () => [],
    clock: systemClock,
    link: {
      hostKey: async () => 'ssh-ed25519 AAAA',
      run,
      ask: async question => question.read(exit(0, `${LOOK_BEGIN} ended ${ended.exitCode} 0 0\n`)),
    },
    networkRecord: async () => null,
    openNetwork: async () => {
      throw new Error('it is in no network');
    },
    managerRecord: async () => null,
    openManager: async () => {
      throw new Error('it has no container manager');
    },
  };
  return { context, ran };
}

const asRoot = ([program]: Argv) => (program === 'id' ? exit(0, '0\n') : exit(0));

test('makes sure of root, then installs what the driver needs', async () => {
  const { context, ran } = hostThat(asRoot, { ownPackages: ['one', 'two'] });
  expect(await prepare(withAHost(1000)).run(context)).toMatchObject({
    kind: 'done',
    result: { packages: 'one two' },
  });
  expect(ran).toEqual(['# id -u', '# jobs-0: toybox add --yes one two']);
});

test('tolerates what a profile says before the answer', async () => {
  const { context } = hostThat(() => exit(0, 'Welcome!\n0\n'));
  expect(await prepare(withAHost(1000)).run(context)).toMatchObject({ kind: 'done' });
});

test.each([
  ['is another user', exit(0, '1000\n'), 'failed', /^not_root: /],
  ['is asked for a password', exit(1), 'failed', /^not_root: /],
  ['loses the connection', new TransportFailure('unreachable', 'cut'), 'retry', /^unreachable: cut/],
])('who %s does not become root', async (_what, answer, kind, problem) => {
  const { context } = hostThat(() => answer);
  expect(await prepare(withAHost(1000)).run(context)).toMatchObject({
    kind,
    problem: expect.stringMatching(problem),
  });
});

test('a package that cannot be installed is tried again', async () => {
  const { context } = hostThat(argv => (argv[0] === 'id' ? exit(0, '0\n') : exit(1)), {
    ownPackages: ['one'],
  });
  expect(await prepare(withAHost(1000)).run(context)).toEqual({
    kind: 'retry',
    problem: 'command_failed: toybox exited with 1',
    isRoundOver: true,
    isSilence: false,
  });
});

test('a system that takes no packages cannot be given any', async () => {
  const { context } = hostThat(asRoot, { ownPackages: ['one'], install: () => undefined });
  expect(await prepare(withAHost(1000)).run(context)).toMatchObject({
    kind: 'failed',
    problem: expect.stringMatching(/^packages_not_supported/),
  });
});
