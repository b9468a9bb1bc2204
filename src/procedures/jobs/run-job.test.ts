import { expect, test } from 'vitest';
import type { CommandResult } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { HostConnection } from '../step.ts';
import type { FinishedJob } from './job-poll.ts';
import { parsePollArgv } from './poll-script.ts';
import { runJob } from './run-job.ts';

const toResult = (stdout: string, exitCode = 0): CommandResult => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(''),
});

/**
 * Creates a host that starts jobs and answers polls with the given replies; the last reply repeats. Each poll takes its
 * full timeout.
 */
function hostReplying(...replies: readonly (string | TransportFailure)[]) {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const calls: string[] = [];
  let next = 0;
  const connection: HostConnection = {
    hostKey: async () => '',
    run: async argv => {
      calls.push(`start ${argv.slice(5).join(' ')}`);
      return toResult('');
    },
    query: async (hostQuery, { asRoot, timeoutMs }) => {
      const { offset, waitS } = parsePollArgv(hostQuery.argv) ?? {};
      calls.push(`poll from ${offset} for ${waitS} s${asRoot ? '' : ', not as root'}`);
      clock.nowMs += timeoutMs;
      const reply = replies[Math.min(next, replies.length - 1)] ?? '';
      next += 1;
      return reply instanceof TransportFailure ? reply : hostQuery.parse(toResult(reply));
    },
  };
  return { connection, calls, clock };
}

const run = (
  { connection, clock }: Pick<ReturnType<typeof hostReplying>, 'connection' | 'clock'>,
  timeoutMs = 108_000,
) => runJob(connection, { name: 'job', argv: ['true'] }, { timeoutMs, clock });

test('runJob polls from its offset until the timeout and reads the rest after the end', async () => {
  const host = hostReplying(
    'hostler-job running - 3 0\none',
    'hostler-job running - 3 3\n',
    'hostler-job ended 7 9 3\ntwo',
    'hostler-job ended 7 12 6\nend',
  );
  const result = await run(host);
  expect(result).toMatchObject({ kind: 'ended', exitCode: 7, output: Buffer.from('onetwoend') });
  // Each poll takes its wait plus 30 s, which is its full timeout.
  expect(host.calls).toEqual([
    'start true',
    'poll from 0 for 5 s',
    'poll from 3 for 5 s',
    'poll from 3 for 5 s',
    'poll from 6 for 3 s',
  ]);
});

test('runJob skips output that is no longer kept and returns the last 64 KiB', async () => {
  const host = hostReplying(
    `hostler-job running - 900000 800000\n${'x'.repeat(100_000)}`,
    'hostler-job ended 0 900003 900000\nend',
  );
  const result = await run(host);
  expect(result).toMatchObject({ kind: 'ended', output: { length: 65_536 } });
  expect(host.calls.at(-1)).toBe('poll from 900000 for 5 s');
});

test.each<[string, string | TransportFailure, object]>([
  ['was interrupted', 'hostler-job interrupted - 3 0\none', { kind: 'interrupted', output: Buffer.from('one') }],
  ['is unknown to the host', 'hostler-job none - 0 0\n', { kind: 'unknown_to_host' }],
  ['has no status line', 'Welcome!\n', { kind: 'unreadable' }],
  ['ended without exit code', 'hostler-job ended - 0 0\n', { kind: 'unreadable' }],
  [
    'cannot be polled',
    new TransportFailure('unreachable', 'connection lost'),
    new TransportFailure('unreachable', 'connection lost'),
  ],
])('runJob maps the reply of a job that %s', async (_case, replies, result) => {
  expect(await run(hostReplying(replies))).toMatchObject(result);
});

const END = { program: 'true', startedMsAgo: 35_000, endedMsAgo: 0 };

test.each<[string, readonly (string | TransportFailure)[], readonly Partial<FinishedJob>[]]>([
  ['with the observed times', ['ended 0 0 0 first 35 0\n'], [{ ...END, result: 'ok', exitCode: 0 }]],
  ['with its exit code', ['ended 100 0 0 first 35 1\n'], [{ ...END, result: 'nonzero', exitCode: 100 }]],
  [
    'with the times of the host when it ran unobserved',
    ['ended 0 0 0 first 3600 600\n'],
    [{ startedMsAgo: 3_600_000, endedMsAgo: 600_000 }],
  ],
  ['once when its output is read in chunks', ['ended 7 9 0 first - -\none', 'ended 7 9 3 - - -\n'], [END]],
  ['only if it was not reported before', ['ended 7 0 0 - 3600 600\n'], []],
  ['as interrupted', ['interrupted - 0 0 first 35 -\n'], [{ ...END, result: 'interrupted', exitCode: undefined }]],
  ['as interrupted after a reboot', ['none - 0 0 - - -\n'], [{ ...END, result: 'interrupted' }]],
  [
    'when the remaining output cannot be read',
    ['ended 7 9 0 first - -\none', new TransportFailure('unreachable', 'connection lost')],
    [{ ...END, exitCode: 7 }],
  ],
  ['only after it has ended', ['running - 0 0 - 35 -\n'], []],
])('runJob reports the end of a job %s', async (_case, replies, expected) => {
  const { connection, clock } = hostReplying(
    ...replies.map(line => (typeof line === 'string' ? `hostler-job ${line}` : line)),
  );
  const finished: FinishedJob[] = [];
  const options = { timeoutMs: 108_000, clock, onEnd: (end: FinishedJob) => void finished.push(end) };
  await runJob(connection, { name: 'job', argv: ['true', '--token', 'secret'] }, options);
  expect(finished).toEqual(expected.map(end => expect.objectContaining(end)));
});

test('runJob ends soon after its timeout when every poll takes its full timeout', async () => {
  const host = hostReplying('hostler-job running - 0 0\n');
  expect(await run(host, 600_000)).toMatchObject({ kind: 'still_running' });
  expect(host.clock.nowMs).toBeLessThanOrEqual(600_000 + 35_000);
  const verbose = hostReplying(...Array.from({ length: 1000 }, (_, index) => `hostler-job ended 0 9999 ${index}\nx`));
  expect(await run(verbose, 60_000)).toMatchObject({ kind: 'ended' });
  expect(verbose.clock.nowMs).toBeLessThanOrEqual(60_000 + 60_000 + 35_000);
});

test('runJob ignores output of a daemon after the job ended', async () => {
  const host = hostReplying('hostler-job ended 0 3 0\none', 'hostler-job ended 0 9 3\nlater');
  expect(await run(host)).toMatchObject({ kind: 'ended', output: Buffer.from('one') });
  expect(host.calls).toHaveLength(2);
});

test('runJob returns not_started when the start script fails', async () => {
  const { connection, clock } = hostReplying('');
  const failing = { ...connection, run: async () => toResult('', 1) };
  expect(await run({ connection: failing, clock })).toMatchObject({
    kind: 'not_started',
    commandResult: { exitCode: 1 },
  });
});
