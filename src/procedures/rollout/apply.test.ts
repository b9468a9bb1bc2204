import { describe, expect, test } from 'vitest';
import { rolloutTask, stepFixture, UNREACHABLE } from '../../../test/harness/rollout/step-fixtures.ts';
import type { Policy } from '../../domain/rollout/policy.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { done, failed, fromTransportFailure, retryWithNewJobs } from '../outcomes.ts';
import { apply } from './apply.ts';

type Fixture = Parameters<typeof stepFixture>;

async function applyOn(kind: OperationKind, replies: Fixture[1], options?: Fixture[2]) {
  const task = rolloutTask(kind, {}, { checksum: 'c44' });
  const { context, commands, output } = stepFixture(task, replies, options);
  return { outcome: await apply.run(context), ran: commands, output };
}

const on = (osDriver: string) => ({ host: { osDriver } });

const versions = (booted: string, staged?: string) =>
  JSON.stringify({ booted: { checksum: booted }, ...(staged && { staged: { checksum: staged } }) });
const STAGED = versions('c43', 'c44');

describe('apply', () => {
  test.each<[string, OperationKind, string, Fixture[1], readonly string[]]>([
    ['runs the upgrade command', 'upgrade', 'packages', { upgrade: '' }, ['# upgrade']],
    [
      'unlocks the staged deployment',
      'deploy',
      'images',
      { deployments: STAGED, unlock: '' },
      ['# deployments', '# unlock'],
    ],
    [
      'leaves a command that reboots to the reboot guard',
      'deploy',
      'self-rebooting',
      { deployments: STAGED, unlock: '' },
      ['# deployments', '# unlock'],
    ],
  ])('%s', async (_what, kind, driver, replies, commands) => {
    const { outcome, ran } = await applyOn(kind, replies, on(driver));
    expect(outcome).toEqual(done());
    expect(ran).toEqual(commands);
  });

  test('stages a dropped version again and fails if that does not help', async () => {
    const replies = { deployments: versions('c43'), pull: '', fetch: '', check: '', unlock: '', upgrade: '' };
    const { outcome, ran } = await applyOn('deploy', replies, on('images'));
    expect(outcome).toEqual(failed('not_staged: the staged version is gone and cannot be staged again'));
    expect(ran).toEqual(['# deployments', '# pull 44', '# deployments']);
    expect((await applyOn('upgrade', replies, on('images'))).ran).toEqual([
      ...['# deployments', '# fetch', '# check', '# deployments'],
    ]);
  });

  test.each([
    ['returns no deployments', '', 'retry'],
    ['does not respond', UNREACHABLE, 'retry'],
  ])('retries when the host %s', async (_what, deployments, kind) => {
    expect((await applyOn('deploy', { deployments }, on('images'))).outcome.kind).toBe(kind);
  });

  test('captures the output of the command', async () => {
    const { output } = await applyOn('upgrade', { upgrade: 'Setting up kernel\n' });
    expect(output.join('')).toBe('Setting up kernel\n');
  });

  test.each([
    ['retries with new jobs', 0, retryWithNewJobs('command_failed: upgrade exited with 100: no lock')],
    ['fails in the third round', 2, failed('command_failed: upgrade exited with 100: no lock')],
  ])('%s when the command fails', async (_what, jobRound, expected) => {
    const { outcome } = await applyOn('upgrade', { upgrade: [100, 'no lock'] }, { state: { jobRound } });
    expect(outcome).toEqual(expected);
  });

  test('retries when the host is unreachable', async () => {
    expect((await applyOn('upgrade', { upgrade: UNREACHABLE })).outcome).toEqual(fromTransportFailure(UNREACHABLE));
  });

  test('fails when no driver supports the OS', async () => {
    const { outcome } = await applyOn('upgrade', {}, on(''));
    expect(outcome).toMatchObject({ kind: 'failed', problem: expect.stringMatching(/^unsupported_os/) });
  });

  test('uses the apply timeout of the policy', () => {
    const timeouts: Partial<Policy['timeouts']> = { applyS: 7 };
    expect(apply.retryPolicy(rolloutTask('upgrade', { timeouts }), INITIAL_TASK_STATE).timeoutMs).toBe(7000);
  });
});
