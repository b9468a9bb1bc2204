import { describe, expect, test } from 'vitest';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { done, failed, fromTransportFailure, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { waitForReboot } from './reboot.ts';
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

type Replies = Parameters<typeof stepFixture>[1];

async function runOn(replies: Replies, planned = { reboot_required: true, boot_id: BOOT }) {
  const task = rolloutTask('restart');
  const { context, commands } = stepFixture(task, replies, { state: { done: { plan_reboot: planned } } });
  return { outcome: await waitForReboot(task).run(context), ran: commands };
}

const NOLOGIN = new TransportFailure('auth_rejected', 'nologin');
const stillRebooting = (failure: TransportFailure, isUnresponsive: boolean) =>
  retry(`waiting_for_boot: the host was sent a reboot and does not respond yet: ${failure}`, {
    isUnresponsive,
  });

describe('a host that was told to reboot', () => {
  test.each<[string, Replies[string], Outcome]>([
    ['is back in another boot', probeReply('none', NEXT_BOOT), done({ boot_id: NEXT_BOOT })],
    [
      'is in the same boot, and told',
      probeReply('started'),
      retry('waiting_for_shutdown: the host was sent a reboot and has not shut down yet'),
    ],
    [
      'is in the same boot, and was told not to',
      probeReply('blocked'),
      retry('waiting_for_shutdown: the host was sent a reboot and has not shut down yet'),
    ],
    [
      'could not',
      probeReply('failed', BOOT, '1', 'inhibited\n'),
      failed('reboot_failed: the reboot command exited with 1: inhibited'),
    ],
    [
      'makes no sense',
      'System is going down',
      retry('unexpected_output: cannot parse the reboot state of the host'),
    ],
    [
      'cannot read its boot ID, and may still be shutting down',
      scriptError('read_boot_id', 'cat: Input/output error'),
      retry(
        'proc_not_readable: cannot read /proc/sys/kernel/random/boot_id on the host: cat: Input/output error',
      ),
    ],
    ['does not answer, which is no news', UNREACHABLE, stillRebooting(UNREACHABLE, true)],
    ['lets nobody in yet', NOLOGIN, stillRebooting(NOLOGIN, false)],
    ['shows another key', KEY_CHANGED, fromTransportFailure(KEY_CHANGED)],
  ])('%s', async (_what, look, expected) => {
    const { outcome, ran } = await runOn({ look });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# look']);
  });

  test.each<[string, Replies[string], Outcome]>([
    ['and is on its way then', reply('started'), retry('waiting_for_shutdown: the host was sent a reboot')],
    [
      'and is in another boot by then',
      reply('other_boot'),
      retry('waiting_for_shutdown: the host was sent a reboot'),
    ],
    [
      'and has the marker by then',
      reply('marker_exists'),
      retry('reboot_not_started: the host replied marker_exists'),
    ],
    ['and is gone then', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    [
      'and has a full /run by then',
      scriptError('write_file', 'cat: write error: No space left on device'),
      failed(
        'run_not_writable: cannot write to /run/hostler on the host: cat: write error: No space left on device',
      ),
    ],
  ])('never heard of it: it is told again, guarded, %s', async (_what, send, expected) => {
    const { outcome, ran } = await runOn({ look: probeReply('none'), send });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# look', '# send']);
  });
});

test('a host that was not told to reboot is not asked', async () => {
  const task = rolloutTask('upgrade');
  const { context, commands } = stepFixture(
    task,
    {},
    { state: { done: { plan_reboot: { reboot_required: false } } } },
  );
  expect(await waitForReboot(task).run(context)).toEqual(done());
  expect(commands).toEqual([]);
});
