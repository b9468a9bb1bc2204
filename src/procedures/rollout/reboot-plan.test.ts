import { expect, test } from 'vitest';
import { BOOT, NEXT_BOOT, rolloutTask, stepFixture, UNREACHABLE } from '../../../test/harness/rollout/step-fixtures.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import { done, fromTransportFailure, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { planReboot } from './reboot.ts';

type Replies = Parameters<typeof stepFixture>[1];

const LIVENESS = { liveness: JSON.stringify({ bootId: BOOT }) };
const DUE = done({ reboot_required: true, boot_id: BOOT });
const NOT_DUE = done({ reboot_required: false });

test.each<[string, PolicyInput, Replies, Outcome]>([
  ['requires a reboot of the current boot with reboot mode always', { reboot: 'always' }, LIVENESS, DUE],
  [
    'requires a reboot with reboot mode if_needed when the host needs one',
    {},
    { ...LIVENESS, 'reboot-required': 'true' },
    DUE,
  ],
  [
    'requires no reboot with reboot mode if_needed when the host needs none',
    {},
    { 'reboot-required': 'false' },
    NOT_DUE,
  ],
  ['queries nothing with reboot mode never', { reboot: 'never' }, {}, NOT_DUE],
  [
    'retries an unreadable reboot check',
    {},
    { 'reboot-required': '' },
    retry('unexpected_output: cannot parse the result of the reboot check'),
  ],
  [
    'retries a reboot check without response',
    {},
    { 'reboot-required': UNREACHABLE },
    fromTransportFailure(UNREACHABLE),
  ],
  [
    'retries an unreadable boot id',
    { reboot: 'always' },
    { liveness: '' },
    retry('unexpected_output: cannot parse the boot ID of the host'),
  ],
  [
    'retries a boot id query without response',
    { reboot: 'always' },
    { liveness: UNREACHABLE },
    fromTransportFailure(UNREACHABLE),
  ],
])('planReboot %s', async (_what, input, replies, expected) => {
  const task = rolloutTask('upgrade', input);
  expect(await planReboot.run(stepFixture(task, replies).context)).toEqual(expected);
});

test('planReboot fails when the driver is no longer available', async () => {
  const task = rolloutTask('restart');
  const { context } = stepFixture(task, {}, { host: { osDriver: 'old' } });
  expect(await planReboot.run(context)).toMatchObject({
    kind: 'failed',
    problem: expect.stringMatching(/^unsupported_os/),
  });
});

test.each<[string, PolicyInput, string]>([
  ['fails when a reboot is required', { reboot: 'always' }, 'failed'],
  ['succeeds when no reboot is required', { reboot: 'never' }, 'done'],
])('planReboot on a host where a Hostler server was started %s', async (_what, input, kind) => {
  const task = rolloutTask('upgrade', input);
  const { context } = stepFixture(task, LIVENESS, { serverBootIds: [NEXT_BOOT, BOOT] });
  const outcome = await planReboot.run(context);
  expect(outcome.kind).toBe(kind);
  if (outcome.kind === 'failed') expect(outcome.problem).toMatch(/^runs_hostler_server: /);
});
