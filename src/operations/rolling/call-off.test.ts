import { expect, test } from 'vitest';
import { afterFailure, again, done } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { callOff } from './call-off.ts';
import { BOOT, GONE, labOf, scriptError, word, workToRoll } from './rolling-lab.ts';

type Answers = Parameters<typeof labOf>[1];

test.each<[string, Answers[string], Outcome]>([
  ['does not come any more', word('blocked'), done({ answer: 'blocked' })],
  ['was sent before', word('started'), done({ answer: 'started' })],
  ['has happened', word('other_boot'), done({ answer: 'other_boot' })],
  ['is told of without sense', 'hello', again('unexpected_output: cannot parse the reply of the host')],
  ['cannot be called off for now', GONE, afterFailure(GONE)],
  [
    'cannot be called off where no marker can be created',
    scriptError('create_folder', 'mkdir: Read-only file system'),
    again('run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system'),
  ],
])('a reboot that %s', async (_what, take, expected) => {
  const progress = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };
  const { context, ran } = labOf(workToRoll('restart'), { take }, { progress });
  expect(await callOff.run(context)).toEqual(expected);
  expect(ran).toEqual(['# take']);
});

test('one that was never due needs not be called off', async () => {
  expect(await callOff.run(labOf(workToRoll('upgrade'), {}).context)).toEqual(done());
});

test('no longer than a command may be under way it is tried', () => {
  expect(callOff.patience.giveUpAfterMs).toBe(60_000);
});
