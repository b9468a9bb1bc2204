import { expect, test } from 'vitest';
import type { PolicyWish } from '../../domain/rolling/policy.ts';
import { afterFailure, again, done } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { arm } from './arm.ts';
import { BOOT, GONE, labOf, NEXT_BOOT, workToRoll } from './rolling-lab.ts';

type Answers = Parameters<typeof labOf>[1];

const PULSE = { pulse: JSON.stringify({ bootId: BOOT }) };
const DUE = done({ reboot_required: true, boot_id: BOOT });
const NOT_DUE = done({ reboot_required: false });

test.each<[string, PolicyWish, Answers, Outcome]>([
  ['always: it is due, in this boot', { reboot: 'always' }, PULSE, DUE],
  ['if needed, and it is', {}, { ...PULSE, 'reboot-need': 'true' }, DUE],
  ['if needed, and it is not', {}, { 'reboot-need': 'false' }, NOT_DUE],
  ['never, and nothing is asked', { reboot: 'never' }, {}, NOT_DUE],
  [
    'a need that makes no sense',
    {},
    { 'reboot-need': '' },
    again('unexpected_output: cannot parse the result of the reboot check'),
  ],
  ['a need that is not answered', {}, { 'reboot-need': GONE }, afterFailure(GONE)],
  [
    'a boot that makes no sense',
    { reboot: 'always' },
    { pulse: '' },
    again('unexpected_output: cannot parse the boot ID of the host'),
  ],
  ['a boot that is not answered', { reboot: 'always' }, { pulse: GONE }, afterFailure(GONE)],
])('a reboot %s', async (_what, wish, answers, expected) => {
  const work = workToRoll('upgrade', wish);
  expect(await arm(work).run(labOf(work, answers).context)).toEqual(expected);
});

test('a host whose driver is gone is given up', async () => {
  const work = workToRoll('restart');
  const { context } = labOf(work, {}, { host: { osDriver: 'old' } });
  expect(await arm(work).run(context)).toMatchObject({
    kind: 'failed',
    problem: expect.stringMatching(/^unsupported_os/),
  });
});

test.each<[string, PolicyWish, string]>([
  ['is not rebooted', { reboot: 'always' }, 'failed'],
  ['may be worked on where no reboot is due', { reboot: 'never' }, 'done'],
])('a host on which a server of ours was started meanwhile %s', async (_what, wish, kind) => {
  const work = workToRoll('upgrade', wish);
  const { context } = labOf(work, PULSE, { serverBootIds: [NEXT_BOOT, BOOT] });
  const outcome = await arm(work).run(context);
  expect(outcome.kind).toBe(kind);
  if (outcome.kind === 'failed') expect(outcome.problem).toMatch(/^runs_hostler_server: /);
});
