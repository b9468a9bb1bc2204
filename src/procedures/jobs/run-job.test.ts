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
 * A host that starts jobs, and tells of them what it is told to, the last of it again and again, each time after it has waited for as
 * long as it may; and what it was asked.
 */
function hostReplying(...replies: readonly (string | TransportFailure)[]) {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const calls: string[] = [];
  let next = 0;
  const link: HostConnection = {
    hostKey: async () => '',
    run: async argv => {
      calls.push(`start ${argv.slice(5).join(' ')}`);
      return toResult('');
    },
    query: async (hostQuery, { asRoot, timeoutMs }) => {
      const { offset, waitS } = parsePollArgv(hostQuery.argv) ?? {};
      calls.push(`look from ${offset} for ${waitS} s${asRoot ? '' : ', not as root'}`);
      clock.nowMs += timeoutMs;
      const reply = replies[Math.min(next, replies.length - 1)] ?? '';
      next += 1;
      return reply instanceof TransportFailure ? reply : hostQuery.parse(toResult(reply));
    },
  };
  return { link, calls, clock };
}

const run = ({ link, clock }: Pick<ReturnType<typeof hostReplying>, 'link' | 'clock'>, timeoutMs = 108_000) =>
  runJob(link, { name: 'job', argv: ['true'] }, { timeoutMs, clock });

test('looks from where it has read, for as long as there is time, and reads on after the end', async () => {
  const host = hostReplying(
    'hostler-job running - 3 0\none',
    'hostler-job running - 3 3\n',
    'hostler-job ended 7 9 3\ntwo',
    'hostler-job ended 7 12 6\nend',
  );
  const result = await run(host);
  expect(result).toMatchObject({ kind: 'ended', exitCode: 7, output: Buffer.from('onetwoend') });
  // Each look takes all the time that it has: the wait, and half a minute for the way.
  expect(host.calls).toEqual([
    'start true',
    'look from 0 for 5 s',
    'look from 3 for 5 s',
    'look from 3 for 5 s',
    'look from 6 for 3 s',
  ]);
});

test('what is not kept any more is passed over, and of the rest the end is kept', async () => {
  const host = hostReplying(
    `hostler-job running - 900000 800000\n${'x'.repeat(100_000)}`,
    'hostler-job ended 0 900003 900000\nend',
  );
  const result = await run(host);
  expect(result).toMatchObject({ kind: 'ended', output: { length: 65_536 } });
  expect(host.calls.at(-1)).toBe('look from 900000 for 5 s');
});

test.each<[string, string | TransportFailure, object]>([
  ['is lost', 'hostler-job interrupted - 3 0\none', { kind: 'interrupted', output: Buffer.from('one') }],
  ['is not there any more', 'hostler-job none - 0 0\n', { kind: 'unknown_to_host' }],
  ['cannot be read', 'Welcome!\n', { kind: 'unreadable' }],
  ['ended with no code', 'hostler-job ended - 0 0\n', { kind: 'unreadable' }],
  ['cannot be asked', new TransportFailure('unreachable', 'cut'), new TransportFailure('unreachable', 'cut')],
])('a job that %s is told as what it is', async (_what, replies, result) => {
  expect(await run(hostReplying(replies))).toMatchObject(result);
});

const END = { program: 'true', startedMsAgo: 35_000, endedMsAgo: 0 };

test.each<[string, readonly (string | TransportFailure)[], readonly Partial<FinishedJob>[]]>([
  ['as we have seen it', ['ended 0 0 0 first 35 0\n'], [{ ...END, result: 'ok', exitCode: 0 }]],
  ['with its code', ['ended 100 0 0 first 35 1\n'], [{ ...END, result: 'nonzero', exitCode: 100 }]],
  [
    'from when another had begun it, to when it ended while nobody looked',
    ['ended 0 0 0 first 3600 600\n'],
    [{ startedMsAgo: 3_600_000, endedMsAgo: 600_000 }],
  ],
  ['once, though it is read in pieces', ['ended 7 9 0 first - -\none', 'ended 7 9 3 - - -\n'], [END]],
  ['not again, when another try has seen it', ['ended 7 0 0 - 3600 600\n'], []],
  ['as lost', ['interrupted - 0 0 first 35 -\n'], [{ ...END, result: 'interrupted', exitCode: undefined }]],
  ['as lost, where a boot has taken all of it', ['none - 0 0 - - -\n'], [{ ...END, result: 'interrupted' }]],
  [
    'also where the rest of what it said does not come any more',
    ['ended 7 9 0 first - -\none', new TransportFailure('unreachable', 'cut')],
    [{ ...END, exitCode: 7 }],
  ],
  ['not yet, while it runs', ['running - 0 0 - 35 -\n'], []],
])('the end of a job is told %s', async (_what, replies, expected) => {
  const { link, clock } = hostReplying(
    ...replies.map(line => (typeof line === 'string' ? `hostler-job ${line}` : line)),
  );
  const finished: FinishedJob[] = [];
  const options = { timeoutMs: 108_000, clock, onEnd: (end: FinishedJob) => void finished.push(end) };
  await runJob(link, { name: 'job', argv: ['true', '--token', 'secret'] }, options);
  expect(finished).toEqual(expected.map(end => expect.objectContaining(end)));
});

test('a host that takes as long as it may for each answer does not hold us for much longer than the limit', async () => {
  const host = hostReplying('hostler-job running - 0 0\n');
  expect(await run(host, 600_000)).toMatchObject({ kind: 'still_running' });
  expect(host.clock.nowMs).toBeLessThanOrEqual(600_000 + 35_000);
  const verbose = hostReplying(
    ...Array.from({ length: 1000 }, (_, at) => `hostler-job ended 0 9999 ${at}\nx`),
  );
  expect(await run(verbose, 60_000)).toMatchObject({ kind: 'ended' });
  expect(verbose.clock.nowMs).toBeLessThanOrEqual(60_000 + 60_000 + 35_000);
});

test('a daemon that goes on after the end is not listened to for ever', async () => {
  const host = hostReplying('hostler-job ended 0 3 0\none', 'hostler-job ended 0 9 3\nlater');
  expect(await run(host)).toMatchObject({ kind: 'ended', output: Buffer.from('one') });
  expect(host.calls).toHaveLength(2);
});

test('one that the host cannot start is said to be not started', async () => {
  const { link, clock } = hostReplying('');
  const full = { ...link, run: async () => toResult('', 1) };
  expect(await run({ link: full, clock })).toMatchObject({
    kind: 'not_started',
    commandResult: { exitCode: 1 },
  });
});
