import { expect, test } from 'vitest';
import { LIMITS, simulatedShell, simulatorFixture } from '../../test/harness/simulation/simulator-fixture.ts';
import type { Argv } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import { pollJob } from '../procedures/jobs/job-poll.ts';
import { runJob } from '../procedures/jobs/run-job.ts';
import { runFolderQuery } from '../procedures/run-folder.ts';
import type { HostConnection } from '../procedures/step.ts';
import { simulatedJobs } from './jobs.ts';

async function createHost() {
  const { host, clock, connect, settle } = simulatorFixture(
    {},
    { simulators: { systems: [simulatedShell], common: [simulatedJobs] } },
  );
  let connection = await connect();
  const link: HostConnection = {
    hostKey: async () => connection.hostKey,
    run: (argv, options) => connection.run(argv, { ...LIMITS, ...options }),
    query: async (hostQuery, options) => {
      const result = await link.run(hostQuery.argv, options);
      return result instanceof TransportFailure ? result : hostQuery.parse(result);
    },
  };
  const run = (name: string, argv: Argv, timeoutMs = 600_000) =>
    settle(runJob(link, { name, argv }, { timeoutMs, clock }));
  const reboot = async () => {
    host.powerOff();
    host.powerOn();
    await clock.advanceUntil(() => host.isUp, 60_000);
    connection = await connect();
  };
  return { host, link, clock, run, reboot, settle };
}

test('a simulated host runs a job and reports its exit code and output', async () => {
  const { run } = await createHost();
  const ended = { kind: 'ended', exitCode: 7, output: Buffer.from('outerr') };
  expect(await run('a', ['sh', '-c', 'printf out; printf err >&2; exit 7'])).toMatchObject(ended);
  expect(await run('a', ['sleep', '1000'])).toMatchObject(ended);
  expect(await run('b', ['no-such-program'])).toMatchObject({ kind: 'ended', exitCode: 127 });
});

test('a simulated job takes its time and keeps running after the timeout', async () => {
  const { run, clock } = await createHost();
  const startedMs = clock.monotonicMs();
  expect(await run('a', ['sleep', '90'], 50_000)).toMatchObject({ kind: 'still_running' });
  expect(Math.round((clock.monotonicMs() - startedMs) / 1000)).toBe(50);
  expect(await run('a', ['sleep', '90'])).toMatchObject({ kind: 'ended', exitCode: 0 });
  expect(Math.round((clock.monotonicMs() - startedMs) / 1000)).toBe(90);
});

test('a boot removes a simulated job', async () => {
  const { link, run, reboot, settle } = await createHost();
  await run('a', ['printf', 'x']);
  await reboot();
  const poll = pollJob({ name: 'a', offset: 0, waitS: 0 });
  expect(await settle(link.query(poll, { timeoutMs: 1000, asRoot: true }))).toMatchObject({
    state: { kind: 'none' },
  });
});

test('an exit fault affects the command of a job, not its start', async () => {
  const { host, run } = await createHost();
  host.addFault({ kind: 'exit', exitCode: 100, stderr: 'no', on: /printf x/, times: 1 });
  expect(await run('a', ['printf', 'x'])).toMatchObject({
    kind: 'ended',
    exitCode: 100,
    output: Buffer.from('no'),
  });
  expect(await run('b', ['printf', 'x'])).toMatchObject({ kind: 'ended', exitCode: 0 });
});

test('a simulated host with a read-only /run starts no job, reports it, and still shows earlier jobs', async () => {
  const { host, link, run, settle } = await createHost();
  const check = () => settle(link.query(runFolderQuery, { timeoutMs: 1000, asRoot: true }));
  expect(await check()).toBe('writable');
  await run('a', ['printf', 'x']);
  host.addFault({ kind: 'run_unwritable' });
  expect(await run('a', ['printf', 'y'])).toMatchObject({ kind: 'ended', output: Buffer.from('x') });
  const error = { code: 'run_not_writable', detail: expect.stringMatching(/: Read-only file system$/) };
  expect(await run('b', ['printf', 'y'])).toMatchObject({ kind: 'script_error', error });
  expect(await check()).toMatchObject(error);
  host.clearFaults('run_unwritable');
  expect(await check()).toBe('writable');
  expect(await run('b', ['printf', 'y'])).toMatchObject({ kind: 'ended', output: Buffer.from('y') });
});

test('only root can start a job', async () => {
  const { link, clock, settle } = await createHost();
  const asUser: HostConnection = { ...link, run: argv => link.run(argv, { timeoutMs: 1000 }) };
  const result = settle(runJob(asUser, { name: 'a', argv: ['printf', 'x'] }, { timeoutMs: 1000, clock }));
  expect(await result).toMatchObject({ kind: 'not_started', commandResult: { exitCode: 1 } });
});
