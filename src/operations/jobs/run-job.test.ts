import { expect, test } from 'vitest';
import type { Ran } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { HostLink } from '../step.ts';
import { askedBy } from './look-script.ts';
import { runJob } from './run-job.ts';

const said = (stdout: string, exitCode = 0): Ran => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(''),
});

/** A host that starts jobs, and tells of them what it is told to, the last of it again and again; and what it was asked. */
function hostThat(...tells: readonly (string | TransportFailure)[]) {
  const asked: string[] = [];
  let next = 0;
  const link: HostLink = {
    hostKey: async () => '',
    run: async argv => {
      asked.push(`start ${argv.slice(5).join(' ')}`);
      return said('');
    },
    ask: async (question, { asRoot }) => {
      const { offset, waitS } = askedBy(question.argv) ?? {};
      asked.push(`look from ${offset} for ${waitS} s${asRoot ? '' : ', not as root'}`);
      const answer = tells[Math.min(next, tells.length - 1)] ?? '';
      next += 1;
      return answer instanceof TransportFailure ? answer : question.read(said(answer));
    },
  };
  return { link, asked };
}

const run = (link: HostLink, timeoutMs = 60_000) =>
  runJob(link, { name: 'job', argv: ['true'] }, { timeoutMs });

test('looks from where it has read, for as long as there is time, and reads on after the end', async () => {
  const { link, asked } = hostThat(
    'hostler-job running - 3 0 995 1000\none',
    'hostler-job running - 3 3 1020 1020\n',
    'hostler-job ended 7 9 3 1045 1045\ntwo',
    'hostler-job ended 7 12 6 1045 1045\nend',
  );
  const result = await run(link);
  expect(result).toMatchObject({ kind: 'ended', exitCode: 7, output: Buffer.from('onetwoend') });
  expect(asked).toEqual([
    'start true',
    'look from 0 for 20 s',
    'look from 3 for 20 s',
    'look from 3 for 20 s',
    'look from 6 for 10 s',
  ]);
});

test('what is not kept any more is passed over, and of the rest the end is kept', async () => {
  const { link, asked } = hostThat(
    `hostler-job running - 900000 800000 1 1\n${'x'.repeat(100_000)}`,
    'hostler-job ended 0 900003 900000 2 2\nend',
  );
  const result = await run(link);
  expect(result).toMatchObject({ kind: 'ended', output: { length: 65_536 } });
  expect(asked.at(-1)).toBe('look from 900000 for 20 s');
});

test.each<[string, string | TransportFailure, object]>([
  ['is lost', 'hostler-job lost - 3 0 1 1\none', { kind: 'lost', output: Buffer.from('one') }],
  ['is gone', 'hostler-job none - 0 0 1 1\n', { kind: 'unclear' }],
  ['cannot be read', 'Welcome!\n', { kind: 'unclear' }],
  ['ended with no code', 'hostler-job ended - 0 0 1 1\n', { kind: 'unclear' }],
  ['cannot be asked', new TransportFailure('unreachable', 'cut'), new TransportFailure('unreachable', 'cut')],
  ['comes after what a profile says', 'Hello\nhostler-job ended 0 0 0 1 1\n', { kind: 'ended', exitCode: 0 }],
])('one that %s', async (_what, tells, result) => {
  expect(await run(hostThat(tells).link)).toMatchObject(result);
});

test('a host whose time stands still does not hold us for ever', async () => {
  const { link, asked } = hostThat('hostler-job running - 0 0 5 5\n');
  expect(await run(link, 10_000)).toMatchObject({ kind: 'still running' });
  expect(asked.length).toBeLessThan(100);
});

test('a daemon that goes on after the end is not listened to for ever', async () => {
  const { link, asked } = hostThat('hostler-job ended 0 3 0 1 1\none', 'hostler-job ended 0 9 3 1 1\nlater');
  expect(await run(link)).toMatchObject({ kind: 'ended', output: Buffer.from('one') });
  expect(asked).toHaveLength(2);
});

test('one that the host cannot start is said to be not started', async () => {
  const { link } = hostThat('');
  const full = { ...link, run: async () => said('', 1) };
  expect(await run(full)).toMatchObject({ kind: 'not started', ran: { exitCode: 1 } });
});
