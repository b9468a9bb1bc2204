import { expect, test } from 'vitest';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import { done, fromTransportFailure, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { planReboot } from './reboot.ts';
import { BOOT, NEXT_BOOT, rolloutTask, stepFixture, UNREACHABLE } from './step-fixtures.ts';

type Replies = Parameters<typeof stepFixture>[1];

const LIVENESS = { pulse: JSON.stringify({ bootId: BOOT }) };
const DUE = done({ reboot_required: true, boot_id: BOOT });
const NOT_DUE = done({ reboot_required: false });

test.each<[string, PolicyInput, Replies, Outcome]>([
  ['always: it is due, in this boot', { reboot: 'always' }, LIVENESS, DUE],
  ['if needed, and it is', {}, { ...LIVENESS, 'reboot-need': 'true' }, DUE],
  ['if needed, and it is not', {}, { 'reboot-need': 'false' }, NOT_DUE],
  ['never, and nothing is asked', { reboot: 'never' }, {}, NOT_DUE],
  [
    'a need that makes no sense',
    {},
    { 'reboot-need': '' },
    retry('unexpected_output: cannot parse the result of the reboot check'),
  ],
  ['a need that is not answered', {}, { 'reboot-need': UNREACHABLE }, fromTransportFailure(UNREACHABLE)],
  [
    'a boot that makes no sense',
    { reboot: 'always' },
    { pulse: '' },
    retry('unexpected_output: cannot parse the boot ID of the host'),
  ],
  [
    'a boot that is not answered',
    { reboot: 'always' },
    { pulse: UNREACHABLE },
    fromTransportFailure(UNREACHABLE),
  ],
])('a reboot %s', async (_what, input, replies, expected) => {
  const task = rolloutTask('upgrade', input);
  expect(await planReboot(task).run(stepFixture(task, replies).context)).toEqual(expected);
});

test('a host whose driver is gone is given up', async () => {
  const task = rolloutTask('restart');
  const { context } = stepFixture(task, {}, { host: { osDriver: 'old' } });
  expect(await planReboot(task).run(context)).toMatchObject({
    kind: 'failed',
    problem: expect.stringMatching(/^unsupported_os/),
  });
});

test.each<[string, PolicyInput, string]>([
  ['is not rebooted', { reboot: 'always' }, 'failed'],
  ['may be worked on where no reboot is due', { reboot: 'never' }, 'done'],
])('a host on which a server of ours was started meanwhile %s', async (_what, input, kind) => {
  const task = rolloutTask('upgrade', input);
  const { context } = stepFixture(task, LIVENESS, { serverBootIds: [NEXT_BOOT, BOOT] });
  const outcome = await planReboot(task).run(context);
  expect(outcome.kind).toBe(kind);
  if (outcome.kind === 'failed') expect(outcome.problem).toMatch(/^runs_hostler_server: /);
});
