import { describe, expect, test } from 'vitest';
import type { OperationKind, SkipReason } from '../../domain/vocabulary.ts';
import { aborted, done, failed, fromTransportFailure, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { reboot, rebootIdOf } from './reboot.ts';
import {
  BOOT,
  KEY_CHANGED,
  NEXT_BOOT,
  probeReply,
  reply,
  rolloutTask,
  scriptError,
  stepFixture,
  UNREACHABLE,
} from './step-fixtures.ts';

type Fixture = Parameters<typeof stepFixture>;

const ARMED = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };

async function rebootOn(
  replies: Fixture[1],
  { kind = 'restart', ...options }: Fixture[2] & { kind?: OperationKind } = {},
) {
  const task = rolloutTask(kind, {}, { checksum: 'c44' });
  const { context, commands } = stepFixture(task, replies, { state: ARMED, ...options });
  return { outcome: await reboot(task).run(context), ran: commands };
}

const rebootStarted = (kind: OperationKind = 'restart'): Outcome =>
  done({}, { trigger: 'became_unreachable', reason: `rebooting: requested by ${kind} op` });
const READ_ONLY = 'mkdir: cannot create directory: Read-only file system';
const NOT_WRITABLE = `run_not_writable: cannot create /run/hostler on the host: ${READ_ONLY}`;
const NO_UPTIME = 'proc_not_readable: cannot read /proc/uptime on the host: cat: No such file or directory';
const noUptime = scriptError('read_uptime', 'cat: No such file or directory');
const UNREADABLE = retry('unexpected_output: cannot parse the reboot state of the host');

describe('a reboot', () => {
  test('is sent when nobody has sent it', async () => {
    const { outcome, ran } = await rebootOn({ look: probeReply('none'), send: reply('started') });
    expect(outcome).toEqual(rebootStarted());
    expect(ran).toEqual(['# look', '# send']);
  });

  test('that is not due is not sent, and nothing is asked', async () => {
    const { outcome, ran } = await rebootOn(
      {},
      { state: { done: { plan_reboot: { reboot_required: false } } } },
    );
    expect(outcome).toEqual(done());
    expect(ran).toEqual([]);
  });

  test.each<[string, Fixture[1][string], Outcome]>([
    ['was sent before', probeReply('started'), rebootStarted()],
    ['has happened', probeReply('none', NEXT_BOOT), rebootStarted()],
    [
      'has failed',
      probeReply('failed', BOOT, '4', 'not now\n'),
      failed('reboot_failed: the reboot command exited with 4: not now'),
    ],
    [
      'came too late',
      probeReply('failed', BOOT, 'too_late'),
      failed('reboot_failed: the reboot command ran after its deadline'),
    ],
    [
      'was called off',
      probeReply('blocked'),
      failed('reboot_cancelled: the reboot of this attempt was cancelled'),
    ],
    ['is told of without sense', 'hello', UNREADABLE],
    ['is on a host without an uptime', noUptime, failed(NO_UPTIME)],
    ['cannot be asked about', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    ['would be of another host', KEY_CHANGED, fromTransportFailure(KEY_CHANGED)],
  ])('that %s is not sent', async (_what, look, expected) => {
    const { outcome, ran } = await rebootOn({ look });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# look']);
  });

  test.each<[string, Fixture[1][string], Outcome]>([
    ['started', reply('started'), rebootStarted()],
    ['other_boot: it has happened meanwhile', reply('other_boot'), rebootStarted()],
    [
      'marker_exists: the next look tells',
      reply('marker_exists'),
      retry('reboot_not_started: the host replied marker_exists'),
    ],
    ['too_late', reply('too_late'), retry('reboot_not_started: the host replied too_late')],
    ['nonsense', 'hello', retry('reboot_not_started: the reboot script exited with 0: hello')],
    [
      'the output of a script that cannot run',
      [2, 'sh: 1: Cannot fork\n'],
      retry('reboot_not_started: the reboot script exited with 2: sh: 1: Cannot fork'),
    ],
    ['a read-only /run', scriptError('create_folder', READ_ONLY), failed(NOT_WRITABLE)],
    ['an uptime that cannot be read', noUptime, failed(NO_UPTIME)],
    ['nothing, which proves nothing', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
  ])('is answered with %s', async (_what, answer, expected) => {
    expect((await rebootOn({ look: probeReply('none'), send: answer })).outcome).toEqual(expected);
  });

  test('is left to the command that reboots by itself, behind the guard', async () => {
    const replies = { look: probeReply('none'), send: reply('started') };
    const { outcome, ran } = await rebootOn(replies, {
      kind: 'deploy',
      host: { osDriver: 'self-rebooting' },
    });
    expect(outcome).toEqual(rebootStarted('deploy'));
    expect(ran).toEqual(['# look', '# send finish c44']);
  });
});

describe('a reboot that is not wanted any more', () => {
  const abortOn = (kind: OperationKind, abortReason: SkipReason, replies: Fixture[1]) =>
    rebootOn(replies, { kind, abortReason });

  test.each<[OperationKind, SkipReason, string]>([
    ['restart', 'cancelled', '# look, # take'],
    ['restart', 'by_hand', '# look, # take'],
    ['upgrade', 'by_hand', '# look, # take'],
    ['deploy', 'by_hand', '# look, # take'],
    ['upgrade', 'cancelled', '# look, # send'],
    ['deploy', 'cancelled', '# look, # send'],
  ])('of %s, %s', async (kind, abortReason, commands) => {
    const replies = { look: probeReply('none'), take: reply('blocked'), send: reply('started') };
    const { outcome, ran } = await abortOn(kind, abortReason, replies);
    expect(ran.join(', ')).toBe(commands);
    expect(outcome).toEqual(commands.endsWith('take') ? aborted : rebootStarted(kind));
  });

  test.each<[string, string, Fixture[1][string], Outcome]>([
    ['was called off before, and is again', 'blocked', reply('blocked'), aborted],
    ['was sent by somebody at this moment', 'none', reply('started'), rebootStarted()],
    ['has happened at this moment', 'none', reply('other_boot'), rebootStarted()],
    ['is answered without sense', 'none', 'hello', UNREADABLE],
    ['cannot be called off for now', 'none', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    [
      'cannot be called off where no marker can be created',
      'none',
      scriptError('create_folder', READ_ONLY),
      failed(NOT_WRITABLE),
    ],
  ])('and %s', async (_what, marker, take, expected) => {
    expect((await abortOn('restart', 'cancelled', { look: probeReply(marker), take })).outcome).toEqual(
      expected,
    );
  });

  test('goes on when it was sent already', async () => {
    const { outcome, ran } = await abortOn('restart', 'cancelled', { look: probeReply('started') });
    expect(outcome).toEqual(rebootStarted());
    expect(ran).toEqual(['# look']);
  });
});

test('a mark is of the operation, the attempt and the boot; without a boot there is none', () => {
  const { context } = stepFixture(rolloutTask('restart'), {}, { state: ARMED });
  expect(rebootIdOf(context)).toEqual({ operation: 'op', attempt: 2, bootId: BOOT });
  expect(rebootIdOf(stepFixture(rolloutTask('restart'), {}).context)).toBeUndefined();
});
