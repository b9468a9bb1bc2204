import { describe, expect, test } from 'vitest';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { afterFailure, again, done, failed } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { comeBack } from './come-back.ts';
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

type Answers = Parameters<typeof labOf>[1];

async function lookOn(answers: Answers, arm = { reboot_required: true, boot_id: BOOT }) {
  const work = workToRoll('restart');
  const { context, ran } = labOf(work, answers, { progress: { done: { plan_reboot: arm } } });
  return { outcome: await comeBack(work).run(context), ran };
}

const NOLOGIN = new TransportFailure('auth_rejected', 'nologin');
const notBack = (failure: TransportFailure, isSilence: boolean) =>
  again(`waiting_for_boot: the host was sent a reboot and does not respond yet: ${failure}`, { isSilence });

describe('a host that was told to reboot', () => {
  test.each<[string, Answers[string], Outcome]>([
    ['is back in another boot', looks('none', NEXT_BOOT), done({ boot_id: NEXT_BOOT })],
    [
      'is in the same boot, and told',
      looks('started'),
      again('waiting_for_shutdown: the host was sent a reboot and has not shut down yet'),
    ],
    [
      'is in the same boot, and was told not to',
      looks('blocked'),
      again('waiting_for_shutdown: the host was sent a reboot and has not shut down yet'),
    ],
    [
      'could not',
      looks('failed', BOOT, '1', 'inhibited\n'),
      failed('reboot_failed: the reboot command exited with 1: inhibited'),
    ],
    [
      'makes no sense',
      'System is going down',
      again('unexpected_output: cannot parse the reboot state of the host'),
    ],
    [
      'cannot read its boot ID, and may still be shutting down',
      scriptError('read_boot_id', 'cat: Input/output error'),
      again(
        'proc_not_readable: cannot read /proc/sys/kernel/random/boot_id on the host: cat: Input/output error',
      ),
    ],
    ['does not answer, which is no news', GONE, notBack(GONE, true)],
    ['lets nobody in yet', NOLOGIN, notBack(NOLOGIN, false)],
    ['shows another key', STRANGER, afterFailure(STRANGER)],
  ])('%s', async (_what, look, expected) => {
    const { outcome, ran } = await lookOn({ look });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# look']);
  });

  test.each<[string, Answers[string], Outcome]>([
    ['and is on its way then', word('started'), again('waiting_for_shutdown: the host was sent a reboot')],
    [
      'and is in another boot by then',
      word('other_boot'),
      again('waiting_for_shutdown: the host was sent a reboot'),
    ],
    [
      'and has the marker by then',
      word('marker_exists'),
      again('reboot_not_started: the host replied marker_exists'),
    ],
    ['and is gone then', GONE, afterFailure(GONE)],
    [
      'and has a full /run by then',
      scriptError('write_file', 'cat: write error: No space left on device'),
      failed(
        'run_not_writable: cannot write to /run/hostler on the host: cat: write error: No space left on device',
      ),
    ],
  ])('never heard of it: it is told again, guarded, %s', async (_what, send, expected) => {
    const { outcome, ran } = await lookOn({ look: looks('none'), send });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# look', '# send']);
  });
});

test('a host that was not told to reboot is not asked', async () => {
  const work = workToRoll('upgrade');
  const { context, ran } = labOf(
    work,
    {},
    { progress: { done: { plan_reboot: { reboot_required: false } } } },
  );
  expect(await comeBack(work).run(context)).toEqual(done());
  expect(ran).toEqual([]);
});
