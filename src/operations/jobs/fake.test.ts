import { expect, test } from 'vitest';
import type { Argv } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { LIMITS, lab } from '../../drivers/transport/sim/lab.ts';
import { shellFake } from '../../drivers/transport/sim/shell-fake.ts';
import { checkRunFolder } from '../run-folder.ts';
import type { HostLink } from '../step.ts';
import { jobsFake } from './fake.ts';
import { lookAt } from './look.ts';
import { runJob } from './run-job.ts';

async function labWithJobs() {
  const { host, clock, connect, settle } = lab({}, { fakes: { systems: [shellFake], common: [jobsFake] } });
  let connection = await connect();
  const link: HostLink = {
    hostKey: async () => connection.hostKey,
    run: (argv, options) => connection.run(argv, { ...LIMITS, ...options }),
    ask: async (question, options) => {
      const ran = await link.run(question.argv, options);
      return ran instanceof TransportFailure ? ran : question.read(ran);
    },
  };
  const run = (name: string, argv: Argv, timeoutMs = 600_000) =>
    settle(runJob(link, { name, argv }, { timeoutMs, clock }));
  const reboot = async () => {
    host.switchOff();
    host.switchOn();
    await clock.advanceUntil(() => host.isUp, 60_000);
    connection = await connect();
  };
  return { host, link, clock, run, reboot, settle };
}

test('a pretend host runs a job, and tells how it ended and what it said', async () => {
  const { run } = await labWithJobs();
  const ended = { kind: 'ended', exitCode: 7, output: Buffer.from('outerr') };
  expect(await run('a', ['sh', '-c', 'printf out; printf err >&2; exit 7'])).toMatchObject(ended);
  expect(await run('a', ['sleep', '1000'])).toMatchObject(ended);
  expect(await run('b', ['no-such-program'])).toMatchObject({ kind: 'ended', exitCode: 127 });
});

test('a job takes its time there, and is left running at the limit of it', async () => {
  const { run, clock } = await labWithJobs();
  const begunMs = clock.monotonicMs();
  expect(await run('a', ['sleep', '90'], 50_000)).toMatchObject({ kind: 'still running' });
  expect(Math.round((clock.monotonicMs() - begunMs) / 1000)).toBe(50);
  expect(await run('a', ['sleep', '90'])).toMatchObject({ kind: 'ended', exitCode: 0 });
  expect(Math.round((clock.monotonicMs() - begunMs) / 1000)).toBe(90);
});

test('a boot forgets it', async () => {
  const { link, run, reboot, settle } = await labWithJobs();
  await run('a', ['printf', 'x']);
  await reboot();
  const look = lookAt({ name: 'a', offset: 0, waitS: 0 });
  expect(await settle(link.ask(look, { timeoutMs: 1000, asRoot: true }))).toMatchObject({
    state: { kind: 'none' },
  });
});

test('a fault of the command hits the command, and not what starts it', async () => {
  const { host, run } = await labWithJobs();
  host.suffer({ kind: 'exit', exitCode: 100, stderr: 'no', on: /printf x/, times: 1 });
  expect(await run('a', ['printf', 'x'])).toMatchObject({
    kind: 'ended',
    exitCode: 100,
    output: Buffer.from('no'),
  });
  expect(await run('b', ['printf', 'x'])).toMatchObject({ kind: 'ended', exitCode: 0 });
});

test('a simulated host with a read-only /run starts no job, reports it, and still shows earlier jobs', async () => {
  const { host, link, run, settle } = await labWithJobs();
  const check = () => settle(link.ask(checkRunFolder, { timeoutMs: 1000, asRoot: true }));
  expect(await check()).toBe('writable');
  await run('a', ['printf', 'x']);
  host.suffer({ kind: 'run_unwritable' });
  expect(await run('a', ['printf', 'y'])).toMatchObject({ kind: 'ended', output: Buffer.from('x') });
  const error = { code: 'run_not_writable', detail: expect.stringMatching(/: Read-only file system$/) };
  expect(await run('b', ['printf', 'y'])).toMatchObject({ kind: 'script error', error });
  expect(await check()).toMatchObject(error);
  host.recover('run_unwritable');
  expect(await check()).toBe('writable');
  expect(await run('b', ['printf', 'y'])).toMatchObject({ kind: 'ended', output: Buffer.from('y') });
});

test('nobody but root starts one', async () => {
  const { link, clock, settle } = await labWithJobs();
  const asUser: HostLink = { ...link, run: argv => link.run(argv, { timeoutMs: 1000 }) };
  const result = settle(runJob(asUser, { name: 'a', argv: ['printf', 'x'] }, { timeoutMs: 1000, clock }));
  expect(await result).toMatchObject({ kind: 'not started', ran: { exitCode: 1 } });
});
