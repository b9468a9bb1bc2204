import { describe, expect, test, vi } from 'vitest';
import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import type { StepResult } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { NodeReport } from '../../drivers/container-manager/container-manager.ts';
import { done, failed, fromTransportFailure, retry, waiting } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { BOOT, KEY_CHANGED, NEXT_BOOT, rolloutTask, stepFixture, UNREACHABLE } from './step-fixtures.ts';
import { verify } from './verify.ts';

type Fixture = Parameters<typeof stepFixture>;

const NOW_MS = 1_000_000;
const readiness = (bootId = NEXT_BOOT, isUp = true) =>
  JSON.stringify({ bootId, isUp, detail: 'the system is still starting' });
const UP = { readiness: readiness() };
const HEALTHY = done({ boot_id: NEXT_BOOT });
const unresponsive = (failure: TransportFailure) => again(failure.toString(), { isUnresponsive: true });

/** Retried later, with what is known of the boots of the host. */
const again = (problem: ReasonText, more: Parameters<typeof retry>[1] = {}, boots = 1) =>
  retry(problem, { stepState: boots === 0 ? { boots } : { boot_id: NEXT_BOOT, boots }, ...more });

interface VerifySetup extends NonNullable<Fixture[2]> {
  readonly kind?: OperationKind;
  readonly input?: PolicyInput;
  readonly prepared?: StepResult;
  readonly notes?: StepResult;
  readonly isDue?: boolean;
}

async function verifyHost(replies: Fixture[1], setup: VerifySetup = {}) {
  const { kind = 'restart', input, prepared, notes = {}, isDue = true, ...options } = setup;
  const planned = isDue ? { reboot_required: true, boot_id: BOOT } : { reboot_required: false };
  const task = rolloutTask(kind, { minHealthyS: 0, ...input }, prepared);
  const state = {
    done: { plan_reboot: planned, ...(isDue && { wait_for_reboot: { boot_id: NEXT_BOOT } }) },
    stepState: notes,
  };
  const { context, commands, output } = stepFixture(task, replies, { state, nowMs: NOW_MS, ...options });
  return { outcome: await verify(task).run(context), ran: commands, output };
}

describe('a host is back', () => {
  test.each<[string, Fixture[1][string], Outcome]>([
    ['when it is up in another boot', readiness(), HEALTHY],
    [
      'but not in the boot that it was to leave',
      readiness(BOOT),
      failed('not_rebooted: the boot ID has not changed since the reboot was sent'),
    ],
    [
      'but not while it starts',
      readiness(NEXT_BOOT, false),
      again('still_booting: the system is still starting'),
    ],
    ['but not when it makes no sense', '', again('unexpected_output: cannot parse the system state')],
    ['but not when it does not answer', UNREACHABLE, unresponsive(UNREACHABLE)],
    [
      'but not when nobody is let in yet',
      new TransportFailure('auth_rejected', 'nologin'),
      again('auth_rejected: nologin'),
    ],
    ['and is another when it shows another key', KEY_CHANGED, fromTransportFailure(KEY_CHANGED)],
  ])('%s', async (_what, answer, expected) => {
    expect((await verifyHost({ readiness: answer })).outcome).toEqual(expected);
  });

  test('in the same boot, where no reboot was due', async () => {
    const { outcome } = await verifyHost({ readiness: readiness(BOOT) }, { kind: 'upgrade', isDue: false });
    expect(outcome).toEqual(done({ boot_id: BOOT }));
  });
});

describe('its version', () => {
  const [OLD, NEW] = [
    { version: '43', checksum: 'c43', image: '' },
    { version: '44', checksum: 'c44', image: '' },
  ];
  const bare = ({ version }: { version: string }) => ({ version, checksum: '', image: '' });
  const verifyVersion = (deployments: unknown, setup: VerifySetup) => {
    const answer = deployments instanceof TransportFailure ? deployments : JSON.stringify(deployments);
    const host = { osDriver: 'images' };
    return verifyHost(
      { ...UP, deployments: answer },
      { kind: 'deploy', prepared: { ...NEW }, host, ...setup },
    );
  };

  test.each<[string, unknown, VerifySetup, Outcome]>([
    ['is the one that was staged', { booted: NEW }, {}, HEALTHY],
    [
      'is another: it was rolled back',
      { booted: OLD },
      {},
      failed('rolled_back: the host booted 43 instead of 44'),
    ],
    [
      'is another of the same name',
      { booted: { ...NEW, checksum: 'other' } },
      {},
      failed('rolled_back: the host booted other instead of c44'),
    ],
    [
      'is another without a name',
      { booted: { ...bare({ version: '' }), checksum: 'c43' } },
      {},
      failed('rolled_back: the host booted c43 instead of 44'),
    ],
    [
      'is the one by name, where no checksum is told',
      { booted: bare(NEW) },
      { prepared: bare(NEW) },
      HEALTHY,
    ],
    [
      'is another by name, where no checksum is told',
      { booted: bare(OLD) },
      { prepared: bare(NEW) },
      failed('rolled_back: the host booted 43 instead of 44'),
    ],
    [
      'is the old one, since what was staged is gone',
      { booted: OLD },
      { kind: 'upgrade', isDue: false },
      failed('not_applied: the host runs 43, and 44 is no longer staged'),
    ],
    ['is not told', {}, {}, again('unexpected_output: cannot parse the versions of the host')],
    ['is not answered', UNREACHABLE, {}, unresponsive(UNREACHABLE)],
    [
      'counts for an upgrade, too',
      { booted: OLD },
      { kind: 'upgrade' },
      failed('rolled_back: the host booted 43 instead of 44'),
    ],
  ])('%s', async (_what, deployments, setup, expected) => {
    expect((await verifyVersion(deployments, setup)).outcome).toEqual(expected);
  });

  test.each<[string, VerifySetup]>([
    ['nothing was staged', { prepared: {} }],
    ['it is not to be rebooted', { kind: 'upgrade', isDue: false, input: { reboot: 'never' } }],
    ['it is upgraded by packages', { host: { osDriver: 'packages' } }],
  ])('is not looked at where %s', async (_what, setup) => {
    const { outcome, ran } = await verifyVersion({ booted: OLD }, setup);
    expect(outcome).toEqual(HEALTHY);
    expect(ran).not.toContain('# deployments');
  });
});

describe('its node', () => {
  const node = (more: object): NodeReport => ({
    ...{ state: 'registered', name: 'n', ready: true, schedulable: false },
    ...more,
  });
  const STALE = again('not_ready: the container manager has not reported the node since its boot');

  test.each<[string, NodeReport, Outcome]>([
    ['is ready in this boot', node({ bootId: NEXT_BOOT }), HEALTHY],
    ['is ready, by a manager that tells no boots', node({}), HEALTHY],
    ['was ready in the boot before', node({ bootId: BOOT }), STALE],
    [
      'is not ready',
      node({ ready: false, bootId: NEXT_BOOT }),
      again('not_ready: the container manager does not report the node as ready'),
    ],
    ['is not known', { state: 'unknown' }, again('not_ready: the container manager does not list the node')],
    ['is not told', { state: 'unavailable', reason: '503' }, again('container_manager: 503')],
  ])('%s', async (_what, report, expected) => {
    const manager = { report: async () => report };
    expect((await verifyHost(UP, { manager })).outcome).toEqual(expected);
  });

  test('is waited for while the manager is away', async () => {
    expect((await verifyHost(UP, { manager: {} })).outcome).toEqual(again('container_manager: it is away'));
  });

  test.each<[string, VerifySetup]>([
    ['it never was one', { manager: {}, host: { registeredWith: null } }],
    ['there is no manager', { manager: null }],
  ])('does not matter where %s', async (_what, setup) => {
    expect((await verifyHost(UP, setup)).outcome).toEqual(HEALTHY);
  });
});

describe('the check of its policy', () => {
  const input: PolicyInput = { check: ['curl', '-f', 'localhost'] };

  test.each<[string, Fixture[1][string], Outcome]>([
    ['ends well', 'ok\n', HEALTHY],
    ['ends badly', [22, 'refused\n'], again('check_failed: curl exited with 22: refused')],
    ['ends badly without a word', [22, ''], again('check_failed: curl exited with 22')],
    ['is not answered', UNREACHABLE, unresponsive(UNREACHABLE)],
  ])('%s', async (_what, curl, expected) => {
    const { outcome, ran } = await verifyHost({ ...UP, curl }, { input });
    expect(outcome).toEqual(expected);
    expect(ran).toContain('# curl');
  });

  test('may take as long as the host may take to be ready', async () => {
    const task = rolloutTask('restart', { ...input, minHealthyS: 0, timeouts: { readyS: 1234 } });
    const state = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };
    const { context } = stepFixture(task, { ...UP, curl: 'ok' }, { state });
    const run = vi.spyOn(context.connection, 'run');
    expect(await verify(task).run(context)).toEqual(HEALTHY);
    expect(run).toHaveBeenCalledExactlyOnceWith(task.policy.check, { timeoutMs: 1_234_000, asRoot: true });
  });

  test('is heard', async () => {
    expect((await verifyHost({ ...UP, curl: 'ok\n' }, { input })).output.join('')).toBe('ok\n');
  });
});

describe('it has to stay healthy for a while', () => {
  const input: PolicyInput = { minHealthyS: 10 };
  const since = (ms: number, boot_id = NEXT_BOOT, boots = 1) => ({
    boot_id,
    boots,
    healthy_since: NOW_MS - ms,
  });
  const healthyFor = (ms: number, of = 10): Parameters<typeof waiting>[2] => ({
    problemAtDeadline: `not_ready: healthy for ${ms / 1000} of ${of} s at the deadline`,
  });

  test.each<[string, StepResult, Outcome]>([
    ['from now on', {}, waiting(10_000, since(0), healthyFor(0))],
    ['for as long as is left', since(4000), waiting(6000, since(4000), healthyFor(4000))],
    ['until it was healthy for long enough', since(10_000), HEALTHY],
    ['from now on, when the clock was set back', since(-60_000), waiting(10_000, since(0), healthyFor(0))],
    [
      'from the beginning in another boot, which counts as unstable',
      since(60_000, BOOT),
      waiting(10_000, since(0, NEXT_BOOT, 2), {
        problem: 'not_stable: the host has booted 2 times',
        problemAtDeadline:
          'not_stable: the host has booted 2 times; not_ready: healthy for 0 of 10 s at the deadline',
      }),
    ],
  ])('%s', async (_what, notes, expected) => {
    expect((await verifyHost(UP, { input, notes })).outcome).toEqual(expected);
  });

  test.each([
    [60_000, 0, 10_000],
    [60_000, 45_000, 10_000],
    [60_000, 53_000, 7000],
  ])('and of %i ms, %i ms on, is looked at again after %i ms', async (healthyMs, passedMs, waitMs) => {
    const long: VerifySetup = { input: { minHealthyS: healthyMs / 1000 }, notes: since(passedMs) };
    expect((await verifyHost(UP, long)).outcome).toEqual(
      waiting(waitMs, since(passedMs), healthyFor(passedMs, healthyMs / 1000)),
    );
  });

  test('from the beginning, when it was not healthy in between', async () => {
    const replies = { readiness: readiness(NEXT_BOOT, false) };
    const stepState = { boot_id: NEXT_BOOT, boots: 1 };
    expect((await verifyHost(replies, { input, notes: since(4000) })).outcome).toMatchObject({ stepState });
  });
});
