import { expect, test } from 'vitest';
import { NOT_BEGUN } from '../../domain/work.ts';
import { afterFailure, done } from '../outcomes.ts';
import { lockAgain } from './lock-again.ts';
import { GONE, labOf, workToRoll } from './rolling-lab.ts';

const on = (osDriver: string) => ({ host: { osDriver } });

test.each([
  ['an image that is staged is locked again', 'images', ['# lock']],
  ['of packages nothing is left for the next boot', 'packages', []],
])('%s', async (_what, osDriver, commands) => {
  const { context, ran } = labOf(workToRoll('upgrade'), { lock: '' }, on(osDriver));
  expect(await lockAgain.run(context)).toEqual(done());
  expect(ran).toEqual(commands);
});

test('a host that does not answer is asked again', async () => {
  const { context } = labOf(workToRoll('upgrade'), { lock: GONE }, on('images'));
  expect(await lockAgain.run(context)).toEqual(afterFailure(GONE));
});

test.each([
  ['taken', false],
  ['begun', true],
  ['other_boot', true],
])('when the host says %s of its reboot, it is needless: %s', (answer, isNeedless) => {
  expect(lockAgain.isNeedless?.({ ...NOT_BEGUN, done: { call_off: { answer } } })).toBe(isNeedless);
});
