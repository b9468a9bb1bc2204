import { expect, test } from 'vitest';
import { done, fromTransportFailure } from '../outcomes.ts';
import { relockDeployment } from './apply.ts';
import { BOOT, NEXT_BOOT, probeReply, rolloutTask, stepFixture, UNREACHABLE } from './step-fixtures.ts';

const on = (osDriver: string) => ({ host: { osDriver } });

test.each([
  ['a staged image is locked again', 'images', ['# lock']],
  ['of packages nothing is left for the next boot', 'packages', []],
])('%s', async (_what, osDriver, commands) => {
  const { context, commands: ran } = stepFixture(rolloutTask('upgrade'), { lock: '' }, on(osDriver));
  expect(await relockDeployment('plan_reboot').run(context)).toEqual(done());
  expect(ran).toEqual(commands);
});

test('a host that does not answer is asked again', async () => {
  const { context } = stepFixture(rolloutTask('upgrade'), { lock: UNREACHABLE }, on('images'));
  expect(await relockDeployment('plan_reboot').run(context)).toEqual(fromTransportFailure(UNREACHABLE));
});

test.each([
  ['in the boot that it was to leave is locked', BOOT, ['# look', '# lock']],
  ['in another boot has it already', NEXT_BOOT, ['# look']],
])('what was told to reboot and is %s', async (_what, bootId, commands) => {
  const state = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };
  const replies = { look: probeReply('started', bootId), lock: '' };
  const { context, commands: ran } = stepFixture(rolloutTask('upgrade'), replies, { ...on('images'), state });
  expect(await relockDeployment('wait_for_reboot').run(context)).toEqual(done());
  expect(ran).toEqual(commands);
});

test('one that was waited for already is asked once', () => {
  expect(relockDeployment('wait_for_reboot').retryPolicy.timeoutMs).toBe(0);
  expect(relockDeployment('reboot').retryPolicy.timeoutMs).toBe(120_000);
});
