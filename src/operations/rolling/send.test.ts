import { describe, expect, test } from 'vitest';
import type { OperationKind, SkipReason } from '../../domain/vocabulary.ts';
import { afterFailure, again, done, failed, withdrawn } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import {
  BOOT,
  GONE,
  labOf,
  looks,
  NEXT_BOOT,
  STRANGER,
  scriptError,
  word,
  workToRoll,
} from './rolling-lab.ts';
import { rebootMarkOf, send } from './send.ts';

type Lab = Parameters<typeof labOf>;

const ARMED = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };

async function sendOn(
  answers: Lab[1],
  { kind = 'restart', ...options }: Lab[2] & { kind?: OperationKind } = {},
) {
  const work = workToRoll(kind, {}, { checksum: 'c44' });
  const { context, ran } = labOf(work, answers, { progress: ARMED, ...options });
  return { outcome: await send(work).run(context), ran };
}

const begun = (kind: OperationKind = 'restart'): Outcome =>
  done({}, { cause: 'lost', reason: `rebooting: requested by ${kind} op` });
const READ_ONLY = 'mkdir: cannot create directory: Read-only file system';
const NOT_WRITABLE = `run_not_writable: cannot create /run/hostler on the host: ${READ_ONLY}`;
const NO_UPTIME = 'proc_not_readable: cannot read /proc/uptime on the host: cat: No such file or directory';
const noUptime = scriptError('read_uptime', 'cat: No such file or directory');
const NONSENSE = again('unexpected_output: cannot parse the reboot state of the host');

describe('a reboot', () => {
  test('is sent when nobody has sent it', async () => {
    const { outcome, ran } = await sendOn({ look: looks('none'), send: word('started') });
    expect(outcome).toEqual(begun());
    expect(ran).toEqual(['# look', '# send']);
  });

  test('that is not due is not sent, and nothing is asked', async () => {
    const { outcome, ran } = await sendOn(
      {},
      { progress: { done: { plan_reboot: { reboot_required: false } } } },
    );
    expect(outcome).toEqual(done());
    expect(ran).toEqual([]);
  });

  test.each<[string, Lab[1][string], Outcome]>([
    ['was sent before', looks('started'), begun()],
    ['has happened', looks('none', NEXT_BOOT), begun()],
    [
      'has failed',
      looks('failed', BOOT, '4', 'not now\n'),
      failed('reboot_failed: the reboot command exited with 4: not now'),
    ],
    [
      'came too late',
      looks('failed', BOOT, 'too_late'),
      failed('reboot_failed: the reboot command ran after its deadline'),
    ],
    [
      'was called off',
      looks('blocked'),
      failed('reboot_cancelled: the reboot of this attempt was cancelled'),
    ],
    ['is told of without sense', 'hello', NONSENSE],
    ['is on a host without an uptime', noUptime, failed(NO_UPTIME)],
    ['cannot be asked about', GONE, afterFailure(GONE)],
    ['would be of another host', STRANGER, afterFailure(STRANGER)],
  ])('that %s is not sent', async (_what, look, expected) => {
    const { outcome, ran } = await sendOn({ look });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# look']);
  });

  test.each<[string, Lab[1][string], Outcome]>([
    ['started', word('started'), begun()],
    ['other_boot: it has happened meanwhile', word('other_boot'), begun()],
    [
      'marker_exists: the next look tells',
      word('marker_exists'),
      again('reboot_not_started: the host replied marker_exists'),
    ],
    ['too_late', word('too_late'), again('reboot_not_started: the host replied too_late')],
    ['nonsense', 'hello', again('reboot_not_started: the reboot script exited with 0: hello')],
    [
      'the output of a script that cannot run',
      [2, 'sh: 1: Cannot fork\n'],
      again('reboot_not_started: the reboot script exited with 2: sh: 1: Cannot fork'),
    ],
    ['a read-only /run', scriptError('create_folder', READ_ONLY), failed(NOT_WRITABLE)],
    ['an uptime that cannot be read', noUptime, failed(NO_UPTIME)],
    ['nothing, which proves nothing', GONE, afterFailure(GONE)],
  ])('is answered with %s', async (_what, answer, expected) => {
    expect((await sendOn({ look: looks('none'), send: answer })).outcome).toEqual(expected);
  });

  test('is left to the command that reboots by itself, behind the guard', async () => {
    const answers = { look: looks('none'), send: word('started') };
    const { outcome, ran } = await sendOn(answers, { kind: 'deploy', host: { osDriver: 'self-rebooting' } });
    expect(outcome).toEqual(begun('deploy'));
    expect(ran).toEqual(['# look', '# send finish c44']);
  });
});

describe('a reboot that is not wanted any more', () => {
  const stay = (kind: OperationKind, unwanted: SkipReason, answers: Lab[1]) =>
    sendOn(answers, { kind, unwanted });

  test.each<[OperationKind, SkipReason, string]>([
    ['restart', 'cancelled', '# look, # take'],
    ['restart', 'by_hand', '# look, # take'],
    ['upgrade', 'by_hand', '# look, # take'],
    ['deploy', 'by_hand', '# look, # take'],
    ['upgrade', 'cancelled', '# look, # send'],
    ['deploy', 'cancelled', '# look, # send'],
  ])('of %s, %s', async (kind, unwanted, commands) => {
    const answers = { look: looks('none'), take: word('blocked'), send: word('started') };
    const { outcome, ran } = await stay(kind, unwanted, answers);
    expect(ran.join(', ')).toBe(commands);
    expect(outcome).toEqual(commands.endsWith('take') ? withdrawn : begun(kind));
  });

  test.each<[string, string, Lab[1][string], Outcome]>([
    ['was called off before, and is again', 'blocked', word('blocked'), withdrawn],
    ['was sent by somebody at this moment', 'none', word('started'), begun()],
    ['has happened at this moment', 'none', word('other_boot'), begun()],
    ['is answered without sense', 'none', 'hello', NONSENSE],
    ['cannot be called off for now', 'none', GONE, afterFailure(GONE)],
    [
      'cannot be called off where no marker can be created',
      'none',
      scriptError('create_folder', READ_ONLY),
      failed(NOT_WRITABLE),
    ],
  ])('and %s', async (_what, marker, take, expected) => {
    expect((await stay('restart', 'cancelled', { look: looks(marker), take })).outcome).toEqual(expected);
  });

  test('goes on when it was sent already', async () => {
    const { outcome, ran } = await stay('restart', 'cancelled', { look: looks('started') });
    expect(outcome).toEqual(begun());
    expect(ran).toEqual(['# look']);
  });
});

test('a mark is of the operation, the attempt and the boot; without a boot there is none', () => {
  const { context } = labOf(workToRoll('restart'), {}, { progress: ARMED });
  expect(rebootMarkOf(context)).toEqual({ operation: 'op', attempt: 2, bootId: BOOT });
  expect(rebootMarkOf(labOf(workToRoll('restart'), {}).context)).toBeUndefined();
});
