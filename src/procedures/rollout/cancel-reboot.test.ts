import { expect, test } from 'vitest';
import { done, fromTransportFailure, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { cancelReboot } from './reboot.ts';
import { BOOT, reply, rolloutTask, scriptError, stepFixture, UNREACHABLE } from './step-fixtures.ts';

type Replies = Parameters<typeof stepFixture>[1];

test.each<[string, Replies[string], Outcome]>([
  ['does not come any more', reply('blocked'), done({ answer: 'blocked' })],
  ['was sent before', reply('started'), done({ answer: 'started' })],
  ['has happened', reply('other_boot'), done({ answer: 'other_boot' })],
  ['is told of without sense', 'hello', retry('unexpected_output: cannot parse the reply of the host')],
  ['cannot be called off for now', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
  [
    'cannot be called off where no marker can be created',
    scriptError('create_folder', 'mkdir: Read-only file system'),
    retry('run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system'),
  ],
])('a reboot that %s', async (_what, take, expected) => {
  const state = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };
  const { context, commands } = stepFixture(rolloutTask('restart'), { take }, { state });
  expect(await cancelReboot.run(context)).toEqual(expected);
  expect(commands).toEqual(['# take']);
});

test('one that was never due needs not be called off', async () => {
  expect(await cancelReboot.run(stepFixture(rolloutTask('upgrade'), {}).context)).toEqual(done());
});

test('no longer than a command may be under way it is tried', () => {
  expect(cancelReboot.retryPolicy.timeoutMs).toBe(60_000);
});
