import { expect, test } from 'vitest';
import {
  BOOT,
  reply,
  rolloutTask,
  scriptError,
  stepFixture,
  UNREACHABLE,
} from '../../../test/harness/rollout/step-fixtures.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import { done, fromTransportFailure, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { cancelReboot } from './reboot.ts';

type Replies = Parameters<typeof stepFixture>[1];

test.each<[string, Replies[string], Outcome]>([
  ['can be blocked', reply('blocked'), done({ reply: 'blocked' })],
  ['was sent before', reply('started'), done({ reply: 'started' })],
  ['has already happened', reply('other_boot'), done({ reply: 'other_boot' })],
  ['has an unreadable reply', 'hello', retry('unexpected_output: cannot parse the reply of the host')],
  ['cannot be blocked because the host is unreachable', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
  [
    'cannot be blocked because no marker can be created',
    scriptError('create_folder', 'mkdir: Read-only file system'),
    retry('run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system'),
  ],
])('cancelReboot returns the outcome of a reboot that %s', async (_what, block, expected) => {
  const state = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };
  const { context, commands } = stepFixture(rolloutTask('restart'), { block }, { state });
  expect(await cancelReboot.run(context)).toEqual(expected);
  expect(commands).toEqual(['# block']);
});

test('cancelReboot does nothing when no reboot was planned', async () => {
  expect(await cancelReboot.run(stepFixture(rolloutTask('upgrade'), {}).context)).toEqual(done());
});

test('cancelReboot retries only until the deadline of the reboot command', () => {
  expect(cancelReboot.retryPolicy(rolloutTask('restart'), INITIAL_TASK_STATE).timeoutMs).toBe(60_000);
});
