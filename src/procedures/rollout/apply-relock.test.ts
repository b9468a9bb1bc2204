import { expect, test } from 'vitest';
import {
  BOOT,
  NEXT_BOOT,
  probeReply,
  rolloutTask,
  stepFixture,
  UNREACHABLE,
} from '../../../test/harness/rollout/step-fixtures.ts';
import { done, fromTransportFailure } from '../outcomes.ts';
import { relockDeployment } from './apply.ts';

const on = (osDriver: string) => ({ host: { osDriver } });

test.each([
  ['locks a staged image', 'images', ['# lock']],
  ['does nothing on a package-based system', 'packages', []],
])('relockDeployment %s', async (_what, osDriver, commands) => {
  const { context, commands: ran } = stepFixture(rolloutTask('upgrade'), { lock: '' }, on(osDriver));
  expect(await relockDeployment.run(context)).toEqual(done());
  expect(ran).toEqual(commands);
});

test('relockDeployment retries when the host is unreachable', async () => {
  const { context } = stepFixture(rolloutTask('upgrade'), { lock: UNREACHABLE }, on('images'));
  expect(await relockDeployment.run(context)).toEqual(fromTransportFailure(UNREACHABLE));
});

test.each([
  ['locks the image if the host has not rebooted', BOOT, ['# probe', '# lock']],
  ['does nothing if the host has rebooted', NEXT_BOOT, ['# probe']],
])('relockDeployment after a sent reboot %s', async (_what, bootId, commands) => {
  const state = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };
  const replies = { probe: probeReply('started', bootId), lock: '' };
  const { context, commands: ran } = stepFixture(rolloutTask('upgrade'), replies, { ...on('images'), state });
  expect(await relockDeployment.run(context)).toEqual(done());
  expect(ran).toEqual(commands);
});

test('relockDeployment tries only once after wait_for_reboot', () => {
  const timeoutFrom = (fromStep: string) =>
    relockDeployment.retryPolicy(rolloutTask('upgrade'), { rollback: { fromStep, reason: 'cancelled', problem: '' } })
      .timeoutMs;
  expect(timeoutFrom('wait_for_reboot')).toBe(0);
  expect(timeoutFrom('reboot')).toBe(120_000);
});
