import { expect, test } from 'vitest';
import { afterFailure, done } from '../outcomes.ts';
import { lockAgain } from './lock-again.ts';
import { BOOT, GONE, labOf, looks, NEXT_BOOT, workToRoll } from './rolling-lab.ts';

const on = (osDriver: string) => ({ host: { osDriver } });

test.each([
  ['a staged image is locked again', 'images', ['# lock']],
  ['of packages nothing is left for the next boot', 'packages', []],
])('%s', async (_what, osDriver, commands) => {
  const { context, ran } = labOf(workToRoll('upgrade'), { lock: '' }, on(osDriver));
  expect(await lockAgain('plan_reboot').run(context)).toEqual(done());
  expect(ran).toEqual(commands);
});

test('a host that does not answer is asked again', async () => {
  const { context } = labOf(workToRoll('upgrade'), { lock: GONE }, on('images'));
  expect(await lockAgain('plan_reboot').run(context)).toEqual(afterFailure(GONE));
});

test.each([
  ['in the boot that it was to leave is locked', BOOT, ['# look', '# lock']],
  ['in another boot has it already', NEXT_BOOT, ['# look']],
])('what was told to reboot and is %s', async (_what, bootId, commands) => {
  const progress = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };
  const answers = { look: looks('started', bootId), lock: '' };
  const { context, ran } = labOf(workToRoll('upgrade'), answers, { ...on('images'), progress });
  expect(await lockAgain('wait_for_reboot').run(context)).toEqual(done());
  expect(ran).toEqual(commands);
});

test('one that was waited for already is asked once', () => {
  expect(lockAgain('wait_for_reboot').patience.giveUpAfterMs).toBe(0);
  expect(lockAgain('reboot').patience.giveUpAfterMs).toBe(120_000);
});
