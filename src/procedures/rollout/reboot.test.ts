import { describe, expect, test } from 'vitest';
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
} from '../../../test/harness/rollout/step-fixtures.ts';
import type { AbortReason, OperationKind } from '../../domain/vocabulary.ts';
import { awaitRebootClearance, done, failed, fromTransportFailure, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { reboot, rebootIdOf } from './reboot.ts';

type Fixture = Parameters<typeof stepFixture>;

const ARMED = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };

async function rebootOn(
  replies: Fixture[1],
  { kind = 'restart', ...options }: Fixture[2] & { kind?: OperationKind } = {},
) {
  const task = rolloutTask(kind, {}, { checksum: 'c44' });
  const { context, commands } = stepFixture(task, replies, { state: ARMED, ...options });
  return { outcome: await reboot.run(context), ran: commands };
}

const rebootStarted = (kind: OperationKind = 'restart'): Outcome =>
  done({}, { trigger: 'became_unreachable', reason: `rebooting: requested by ${kind} op` });
const READ_ONLY = 'mkdir: cannot create directory: Read-only file system';
const NOT_WRITABLE = `run_not_writable: cannot create /run/hostler on the host: ${READ_ONLY}`;
const NO_UPTIME = 'proc_not_readable: cannot read /proc/uptime on the host: cat: No such file or directory';
const noUptime = scriptError('read_uptime', 'cat: No such file or directory');
const UNREADABLE = retry('unexpected_output: cannot parse the reboot state of the host');

describe('reboot', () => {
  test('sends the command when no reboot was sent', async () => {
    const { outcome, ran } = await rebootOn({ probe: probeReply('none'), send: reply('started') });
    expect(outcome).toEqual(rebootStarted());
    expect(ran).toEqual(['# probe', '# send']);
  });

  test('waits for the budget and sends no command when other hosts went down after plan_reboot', async () => {
    const { outcome, ran } = await rebootOn({ probe: probeReply('none') }, { mayReboot: false });
    expect(outcome).toEqual(awaitRebootClearance);
    expect(ran).toEqual(['# probe']);
  });

  test('does nothing when no reboot is required', async () => {
    const { outcome, ran } = await rebootOn({}, { state: { done: { plan_reboot: { reboot_required: false } } } });
    expect(outcome).toEqual(done());
    expect(ran).toEqual([]);
  });

  test.each<[string, Fixture[1][string], Outcome]>([
    ['was sent before', probeReply('started'), rebootStarted()],
    ['has already happened', probeReply('none', NEXT_BOOT), rebootStarted()],
    [
      'has failed',
      probeReply('failed', BOOT, '4', 'not now\n'),
      failed('reboot_failed: the reboot command exited with 4: not now'),
    ],
    [
      'missed its deadline',
      probeReply('failed', BOOT, 'too_late'),
      failed('reboot_failed: the reboot command ran after its deadline'),
    ],
    ['was blocked', probeReply('blocked'), failed('reboot_cancelled: the reboot of this attempt was cancelled')],
    ['has an unreadable state', 'hello', UNREADABLE],
    ['is on a host with unreadable uptime', noUptime, failed(NO_UPTIME)],
    ['cannot be probed', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    ['would reach a host with a different key', KEY_CHANGED, fromTransportFailure(KEY_CHANGED)],
  ])('sends no command when the reboot %s', async (_what, probe, expected) => {
    const { outcome, ran } = await rebootOn({ probe });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# probe']);
  });

  test.each<[string, Fixture[1][string], Outcome]>([
    ['started', reply('started'), rebootStarted()],
    ['other_boot as started', reply('other_boot'), rebootStarted()],
    ['marker_exists to a retry', reply('marker_exists'), retry('reboot_not_started: the host replied marker_exists')],
    ['too_late to a retry', reply('too_late'), retry('reboot_not_started: the host replied too_late')],
    ['with unexpected output', 'hello', retry('reboot_not_started: the reboot script exited with 0: hello')],
    [
      'of a script that cannot run',
      [2, 'sh: 1: Cannot fork\n'],
      retry('reboot_not_started: the reboot script exited with 2: sh: 1: Cannot fork'),
    ],
    ['of a script with a read-only /run', scriptError('create_folder', READ_ONLY), failed(NOT_WRITABLE)],
    ['of a script without readable uptime', noUptime, failed(NO_UPTIME)],
    ['of an unreachable host', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
  ])('maps the reply %s', async (_what, response, expected) => {
    expect((await rebootOn({ probe: probeReply('none'), send: response })).outcome).toEqual(expected);
  });

  test('passes a command that reboots by itself to the reboot guard', async () => {
    const replies = { probe: probeReply('none'), send: reply('started') };
    const { outcome, ran } = await rebootOn(replies, {
      kind: 'deploy',
      host: { osDriver: 'self-rebooting' },
    });
    expect(outcome).toEqual(rebootStarted('deploy'));
    expect(ran).toEqual(['# probe', '# send finish c44']);
  });
});

describe('reboot with an abort request', () => {
  const abortOn = (kind: OperationKind, abortReason: AbortReason, replies: Fixture[1]) =>
    rebootOn(replies, { kind, abortReason });

  test.each<[OperationKind, AbortReason, string]>([
    ['restart', 'cancelled', '# probe, # block'],
    ['restart', 'by_hand', '# probe, # block'],
    ['upgrade', 'by_hand', '# probe, # block'],
    ['deploy', 'by_hand', '# probe, # block'],
    ['upgrade', 'cancelled', '# probe, # send'],
    ['deploy', 'cancelled', '# probe, # send'],
  ])('runs "$2" for a %s with the abort reason %s', async (kind, abortReason, commands) => {
    const replies = { probe: probeReply('none'), block: reply('blocked'), send: reply('started') };
    const { outcome, ran } = await abortOn(kind, abortReason, replies);
    expect(ran.join(', ')).toBe(commands);
    expect(outcome).toEqual(
      commands.endsWith('block') ? { kind: 'aborted', reason: abortReason } : rebootStarted(kind),
    );
  });

  test.each<[string, string, Fixture[1][string], Outcome]>([
    ['was already blocked', 'blocked', reply('blocked'), { kind: 'aborted', reason: 'cancelled' }],
    ['was sent concurrently', 'none', reply('started'), rebootStarted()],
    ['happened concurrently', 'none', reply('other_boot'), rebootStarted()],
    ['has an unreadable reply', 'none', 'hello', UNREADABLE],
    ['cannot be blocked because the host is unreachable', 'none', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    [
      'cannot be blocked because no marker can be created',
      'none',
      scriptError('create_folder', READ_ONLY),
      failed(NOT_WRITABLE),
    ],
  ])('returns the outcome of a reboot that %s', async (_what, marker, block, expected) => {
    expect((await abortOn('restart', 'cancelled', { probe: probeReply(marker), block })).outcome).toEqual(expected);
  });

  test('continues when the reboot was already sent', async () => {
    const { outcome, ran } = await abortOn('restart', 'cancelled', { probe: probeReply('started') });
    expect(outcome).toEqual(rebootStarted());
    expect(ran).toEqual(['# probe']);
  });
});

test('rebootIdOf contains operation, attempt and boot id, and is undefined without a boot id', () => {
  const { context } = stepFixture(rolloutTask('restart'), {}, { state: ARMED });
  expect(rebootIdOf(context)).toEqual({ operation: 'op', attempt: 2, bootId: BOOT });
  expect(rebootIdOf(stepFixture(rolloutTask('restart'), {}).context)).toBeUndefined();
});
