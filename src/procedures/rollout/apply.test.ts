import { describe, expect, test } from 'vitest';
import type { Policy } from '../../domain/rollout/policy.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { done, failed, fromTransportFailure, retryWithNewJobs } from '../outcomes.ts';
import { apply } from './apply.ts';
import { rolloutTask, stepFixture, UNREACHABLE } from './step-fixtures.ts';

type Fixture = Parameters<typeof stepFixture>;

async function applyOn(kind: OperationKind, replies: Fixture[1], options?: Fixture[2]) {
  const task = rolloutTask(kind, {}, { checksum: 'c44' });
  const { context, commands, output } = stepFixture(task, replies, options);
  return { outcome: await apply(task).run(context), ran: commands, output };
}

const on = (osDriver: string) => ({ host: { osDriver } });

/** What the host says of its versions. */
const versions = (booted: string, staged?: string) =>
  JSON.stringify({ booted: { checksum: booted }, ...(staged && { staged: { checksum: staged } }) });
const STAGED = versions('c43', 'c44');

describe('applying', () => {
  test.each<[string, OperationKind, string, Fixture[1], readonly string[]]>([
    ['an upgrade runs it', 'upgrade', 'packages', { upgrade: '' }, ['# upgrade']],
    [
      'a deployment lets the next boot bring it',
      'deploy',
      'images',
      { deployments: STAGED, unlock: '' },
      ['# deployments', '# unlock'],
    ],
    [
      'leaves to the guard what reboots by itself',
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

  test('stages anew what a boot has dropped, and does not go on without it', async () => {
    const replies = { deployments: versions('c43'), pull: '', fetch: '', check: '', unlock: '', upgrade: '' };
    const { outcome, ran } = await applyOn('deploy', replies, on('images'));
    expect(outcome).toEqual(failed('not_staged: the staged version is gone and cannot be staged again'));
    expect(ran).toEqual(['# deployments', '# pull 44', '# deployments']);
    expect((await applyOn('upgrade', replies, on('images'))).ran).toEqual([
      ...['# deployments', '# fetch', '# check', '# deployments'],
    ]);
  });

  test.each([
    ['does not say what is staged', '', 'retry'],
    ['does not answer', UNREACHABLE, 'retry'],
  ])('waits for a host that %s', async (_what, deployments, kind) => {
    expect((await applyOn('deploy', { deployments }, on('images'))).outcome.kind).toBe(kind);
  });

  test('tells what was said', async () => {
    const { output } = await applyOn('upgrade', { upgrade: 'Setting up kernel\n' });
    expect(output.join('')).toBe('Setting up kernel\n');
  });

  test.each([
    ['is begun anew', 0, retryWithNewJobs('command_failed: upgrade exited with 100: no lock')],
    ['is given up in the third round', 2, failed('command_failed: upgrade exited with 100: no lock')],
  ])('what ends badly %s', async (_what, jobRound, expected) => {
    const { outcome } = await applyOn('upgrade', { upgrade: [100, 'no lock'] }, { state: { jobRound } });
    expect(outcome).toEqual(expected);
  });

  test('goes on when the host is back', async () => {
    expect((await applyOn('upgrade', { upgrade: UNREACHABLE })).outcome).toEqual(
      fromTransportFailure(UNREACHABLE),
    );
  });

  test('does not go on where no driver knows the system', async () => {
    const { outcome } = await applyOn('upgrade', {}, on(''));
    expect(outcome).toMatchObject({ kind: 'failed', problem: expect.stringMatching(/^unsupported_os/) });
  });

  test('has as long as the policy says', () => {
    const timeouts: Partial<Policy['timeouts']> = { applyS: 7 };
    expect(apply(rolloutTask('upgrade', { timeouts })).retryPolicy.timeoutMs).toBe(7000);
  });
});
