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
import { TransportFailure } from '../../domain/transport-failure.ts';
import { awaitRebootClearance, done, failed, fromTransportFailure, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { waitForReboot } from './reboot.ts';

type Replies = Parameters<typeof stepFixture>[1];

async function runOn(replies: Replies, planned = { reboot_required: true, boot_id: BOOT }, options = {}) {
  const task = rolloutTask('restart');
  const { context, commands } = stepFixture(task, replies, { state: { done: { plan_reboot: planned } }, ...options });
  return { outcome: await waitForReboot.run(context), ran: commands };
}

const NOLOGIN = new TransportFailure('auth_rejected', 'nologin');
const stillRebooting = (failure: TransportFailure, isUnresponsive: boolean) =>
  retry(`waiting_for_boot: the host was sent a reboot and does not respond yet: ${failure}`, {
    isUnresponsive,
  });

describe('waitForReboot', () => {
  test('waits for the budget and sends no command again when other hosts went down meanwhile', async () => {
    const { outcome, ran } = await runOn({ probe: probeReply('none') }, undefined, { mayReboot: false });
    expect(outcome).toEqual(awaitRebootClearance);
    expect(ran).toEqual(['# probe']);
  });

  test.each<[string, Replies[string], Outcome]>([
    ['is done in another boot', probeReply('none', NEXT_BOOT), done({ boot_id: NEXT_BOOT })],
    [
      'retries in the same boot after the reboot started',
      probeReply('started'),
      retry('waiting_for_shutdown: the host was sent a reboot and has not shut down yet'),
    ],
    [
      'retries in the same boot when the reboot is blocked',
      probeReply('blocked'),
      retry('waiting_for_shutdown: the host was sent a reboot and has not shut down yet'),
    ],
    [
      'fails when the reboot command failed',
      probeReply('failed', BOOT, '1', 'inhibited\n'),
      failed('reboot_failed: the reboot command exited with 1: inhibited'),
    ],
    [
      'retries unreadable output',
      'System is going down',
      retry('unexpected_output: cannot parse the reboot state of the host'),
    ],
    [
      'retries an unreadable boot id, which can mean a shutdown',
      scriptError('read_boot_id', 'cat: Input/output error'),
      retry('proc_not_readable: cannot read /proc/sys/kernel/random/boot_id on the host: cat: Input/output error'),
    ],
    ['retries without response', UNREACHABLE, stillRebooting(UNREACHABLE, true)],
    ['retries while logins are rejected', NOLOGIN, stillRebooting(NOLOGIN, false)],
    ['fails when the host key has changed', KEY_CHANGED, fromTransportFailure(KEY_CHANGED)],
  ])('%s', async (_what, probe, expected) => {
    const { outcome, ran } = await runOn({ probe });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# probe']);
  });

  test.each<[string, Replies[string], Outcome]>([
    ['and waits for the shutdown', reply('started'), retry('waiting_for_shutdown: the host was sent a reboot')],
    [
      'and retries when the host is in another boot',
      reply('other_boot'),
      retry('waiting_for_shutdown: the host was sent a reboot'),
    ],
    [
      'and retries when the marker exists',
      reply('marker_exists'),
      retry('reboot_not_started: the host replied marker_exists'),
    ],
    ['and retries when the host is unreachable', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    [
      'and fails when /run is full',
      scriptError('write_file', 'cat: write error: No space left on device'),
      failed('run_not_writable: cannot write to /run/hostler on the host: cat: write error: No space left on device'),
    ],
  ])('sends the reboot again when the marker is missing, %s', async (_what, send, expected) => {
    const { outcome, ran } = await runOn({ probe: probeReply('none'), send });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# probe', '# send']);
  });
});

test('waitForReboot does not query the host when no reboot is required', async () => {
  const task = rolloutTask('upgrade');
  const { context, commands } = stepFixture(task, {}, { state: { done: { plan_reboot: { reboot_required: false } } } });
  expect(await waitForReboot.run(context)).toEqual(done());
  expect(commands).toEqual([]);
});
