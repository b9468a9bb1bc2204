import { describe, expect, test, vi } from 'vitest';
import {
  BOOT,
  KEY_CHANGED,
  NEXT_BOOT,
  rolloutTask,
  stepFixture,
  UNREACHABLE,
} from '../../../test/harness/rollout/step-fixtures.ts';
import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import type { StepResult } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { NodeReport } from '../../drivers/container-manager/container-manager.ts';
import { done, failed, fromTransportFailure, retry, waiting } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { verify } from './preflight-and-verify.ts';

type Fixture = Parameters<typeof stepFixture>;

const NOW_MS = 1_000_000;
const readiness = (bootId = NEXT_BOOT, isUp = true) =>
  JSON.stringify({ bootId, isUp, detail: 'the system is still starting' });
const UP = { readiness: readiness() };
const HEALTHY = done({ boot_id: NEXT_BOOT });
const unresponsive = (failure: TransportFailure) => retryWith(failure.toString(), { isUnresponsive: true });

const retryWith = (problem: ReasonText, more: Parameters<typeof retry>[1] = {}, boots = 1) =>
  retry(problem, { stepState: boots === 0 ? { boots } : { boot_id: NEXT_BOOT, boots }, ...more });

interface VerifySetup extends NonNullable<Fixture[2]> {
  readonly kind?: OperationKind;
  readonly input?: PolicyInput;
  readonly prepared?: StepResult;
  readonly notes?: StepResult;
  readonly isDue?: boolean;
}

async function verifyHost(replies: Fixture[1], setup: VerifySetup = {}) {
  const {
    kind = 'restart',
    input,
    prepared: stageResult,
    notes: stepState = {},
    isDue: isRebootRequired = true,
    ...options
  } = setup;
  const planned = isRebootRequired ? { reboot_required: true, boot_id: BOOT } : { reboot_required: false };
  const task = rolloutTask(kind, { minHealthyS: 0, ...input }, stageResult);
  const state = {
    done: { plan_reboot: planned, ...(isRebootRequired && { wait_for_reboot: { boot_id: NEXT_BOOT } }) },
    stepState,
  };
  const { context, commands, output } = stepFixture(task, replies, { state, nowMs: NOW_MS, ...options });
  return { outcome: await verify.run(context), ran: commands, output };
}

describe('verify: boot', () => {
  test.each<[string, Fixture[1][string], Outcome]>([
    ['accepts a host that is up in another boot', readiness(), HEALTHY],
    [
      'fails in the old boot',
      readiness(BOOT),
      failed('not_rebooted: the boot ID has not changed since the reboot was sent'),
    ],
    [
      'retries while the system starts',
      readiness(NEXT_BOOT, false),
      retryWith('still_booting: the system is still starting'),
    ],
    ['retries unreadable readiness', '', retryWith('unexpected_output: cannot parse the system state')],
    ['retries without response', UNREACHABLE, unresponsive(UNREACHABLE)],
    [
      'retries while logins are rejected',
      new TransportFailure('auth_rejected', 'nologin'),
      retryWith('auth_rejected: nologin'),
    ],
    ['fails when the host key has changed', KEY_CHANGED, fromTransportFailure(KEY_CHANGED)],
  ])('%s', async (_what, response, expected) => {
    expect((await verifyHost({ readiness: response })).outcome).toEqual(expected);
  });

  test('accepts the same boot when no reboot was required', async () => {
    const { outcome } = await verifyHost({ readiness: readiness(BOOT) }, { kind: 'upgrade', isDue: false });
    expect(outcome).toEqual(done({ boot_id: BOOT }));
  });
});

describe('verify: version', () => {
  const [OLD, NEW] = [
    { version: '43', checksum: 'c43', image: '' },
    { version: '44', checksum: 'c44', image: '' },
  ];
  const bare = ({ version }: { version: string }) => ({ version, checksum: '', image: '' });
  const verifyVersion = (deployments: unknown, setup: VerifySetup) => {
    const response = deployments instanceof TransportFailure ? deployments : JSON.stringify(deployments);
    const host = { osDriver: 'images' };
    return verifyHost({ ...UP, deployments: response }, { kind: 'deploy', prepared: { ...NEW }, host, ...setup });
  };

  test.each<[string, unknown, VerifySetup, Outcome]>([
    ['accepts the staged deployment', { booted: NEW }, {}, HEALTHY],
    [
      'fails with rolled_back for another version',
      { booted: OLD },
      {},
      failed('rolled_back: the host booted 43 instead of 44'),
    ],
    [
      'fails for another checksum with the same version',
      { booted: { ...NEW, checksum: 'other' } },
      {},
      failed('rolled_back: the host booted other instead of c44'),
    ],
    [
      'fails for another checksum without version',
      { booted: { ...bare({ version: '' }), checksum: 'c43' } },
      {},
      failed('rolled_back: the host booted c43 instead of 44'),
    ],
    ['accepts the version when there is no checksum', { booted: bare(NEW) }, { prepared: bare(NEW) }, HEALTHY],
    [
      'fails for another version when there is no checksum',
      { booted: bare(OLD) },
      { prepared: bare(NEW) },
      failed('rolled_back: the host booted 43 instead of 44'),
    ],
    [
      'fails with not_applied when the staged deployment is gone',
      { booted: OLD },
      { kind: 'upgrade', isDue: false },
      failed('not_applied: the host runs 43, and 44 is no longer staged'),
    ],
    [
      'retries without a booted deployment',
      {},
      {},
      retryWith('unexpected_output: cannot parse the versions of the host'),
    ],
    ['retries without response', UNREACHABLE, {}, unresponsive(UNREACHABLE)],
    [
      'fails with rolled_back for an upgrade',
      { booted: OLD },
      { kind: 'upgrade' },
      failed('rolled_back: the host booted 43 instead of 44'),
    ],
  ])('%s', async (_what, deployments, setup, expected) => {
    expect((await verifyVersion(deployments, setup)).outcome).toEqual(expected);
  });

  test.each<[string, VerifySetup]>([
    ['nothing was staged', { prepared: {} }],
    ['the policy never reboots', { kind: 'upgrade', isDue: false, input: { reboot: 'never' } }],
    ['the host uses packages', { host: { osDriver: 'packages' } }],
  ])('is not queried when %s', async (_what, setup) => {
    const { outcome, ran } = await verifyVersion({ booted: OLD }, setup);
    expect(outcome).toEqual(HEALTHY);
    expect(ran).not.toContain('# deployments');
  });
});

describe('verify: node', () => {
  const node = (more: object): NodeReport => ({
    ...{ state: 'registered', name: 'n', ready: true, schedulable: false },
    ...more,
  });
  const STALE = retryWith('not_ready: the container manager has not reported the node since its boot');

  test.each<[string, NodeReport, Outcome]>([
    ['accepts a node that is ready in this boot', node({ bootId: NEXT_BOOT }), HEALTHY],
    ['accepts a ready node without boot id', node({}), HEALTHY],
    ['retries a report of the previous boot', node({ bootId: BOOT }), STALE],
    [
      'retries a node that is not ready',
      node({ ready: false, bootId: NEXT_BOOT }),
      retryWith('not_ready: the container manager does not report the node as ready'),
    ],
    [
      'retries an unknown node',
      { state: 'unknown' },
      retryWith('not_ready: the container manager does not list the node'),
    ],
    [
      'retries when the manager cannot report the node',
      { state: 'unavailable', reason: '503' },
      retryWith('container_manager: 503'),
    ],
  ])('%s', async (_what, report, expected) => {
    const manager = { report: async () => report };
    expect((await verifyHost(UP, { manager })).outcome).toEqual(expected);
  });

  test('is retried while the container manager is unavailable', async () => {
    expect((await verifyHost(UP, { manager: {} })).outcome).toEqual(retryWith('container_manager: connection refused'));
  });

  test.each<[string, VerifySetup]>([
    ['the host is not registered', { manager: {}, host: { registeredWith: null } }],
    ['the cluster has no container manager', { manager: null }],
  ])('is not checked when %s', async (_what, setup) => {
    expect((await verifyHost(UP, setup)).outcome).toEqual(HEALTHY);
  });
});

describe('verify: check of the policy', () => {
  const input: PolicyInput = { check: ['curl', '-f', 'localhost'] };

  test.each<[string, Fixture[1][string], Outcome]>([
    ['accepts exit code 0', 'ok\n', HEALTHY],
    [
      'retries a failed check and quotes its output',
      [22, 'refused\n'],
      retryWith('check_failed: curl exited with 22: refused'),
    ],
    ['retries a failed check without output', [22, ''], retryWith('check_failed: curl exited with 22')],
    ['retries without response', UNREACHABLE, unresponsive(UNREACHABLE)],
  ])('%s', async (_what, curl, expected) => {
    const { outcome, ran } = await verifyHost({ ...UP, curl }, { input });
    expect(outcome).toEqual(expected);
    expect(ran).toContain('# curl');
  });

  test('can take as long as timeouts.ready', async () => {
    const task = rolloutTask('restart', { ...input, minHealthyS: 0, timeouts: { readyS: 1234 } });
    const state = { done: { plan_reboot: { reboot_required: true, boot_id: BOOT } } };
    const { context } = stepFixture(task, { ...UP, curl: 'ok' }, { state });
    const run = vi.spyOn(context.connection, 'run');
    expect(await verify.run(context)).toEqual(HEALTHY);
    expect(run).toHaveBeenCalledExactlyOnceWith(task.policy.check, { timeoutMs: 1_234_000, asRoot: true });
  });

  test('has its output captured', async () => {
    expect((await verifyHost({ ...UP, curl: 'ok\n' }, { input })).output.join('')).toBe('ok\n');
  });
});

describe('verify: minimum healthy time', () => {
  const input: PolicyInput = { minHealthyS: 10 };
  const since = (ms: number, boot_id = NEXT_BOOT, boots = 1) => ({
    boot_id,
    boots,
    healthy_since: NOW_MS - ms,
  });
  const healthyFor = (ms: number, minHealthyS = 10): Parameters<typeof waiting>[2] => ({
    problemAtDeadline: `not_ready: healthy for ${ms / 1000} of ${minHealthyS} s at the deadline`,
  });

  test.each<[string, StepResult, Outcome]>([
    ['starts with the first healthy check', {}, waiting(10_000, since(0), healthyFor(0))],
    ['waits for the remaining time', since(4000), waiting(6000, since(4000), healthyFor(4000))],
    ['ends when it has passed', since(10_000), HEALTHY],
    ['starts again when the clock was set back', since(-60_000), waiting(10_000, since(0), healthyFor(0))],
    [
      'starts again in another boot and reports not_stable',
      since(60_000, BOOT),
      waiting(10_000, since(0, NEXT_BOOT, 2), {
        problem: 'not_stable: the host has booted 2 times',
        problemAtDeadline: 'not_stable: the host has booted 2 times; not_ready: healthy for 0 of 10 s at the deadline',
      }),
    ],
  ])('%s', async (_what, stepState, expected) => {
    expect((await verifyHost(UP, { input, notes: stepState })).outcome).toEqual(expected);
  });

  test.each([
    [60_000, 0, 10_000],
    [60_000, 45_000, 10_000],
    [60_000, 53_000, 7000],
  ])(
    'a minimum of %i ms, of which %i ms have passed, is checked again after %i ms',
    async (healthyMs, elapsedMs, waitMs) => {
      const setup: VerifySetup = { input: { minHealthyS: healthyMs / 1000 }, notes: since(elapsedMs) };
      expect((await verifyHost(UP, setup)).outcome).toEqual(
        waiting(waitMs, since(elapsedMs), healthyFor(elapsedMs, healthyMs / 1000)),
      );
    },
  );

  test('starts again after the host was not healthy', async () => {
    const replies = { readiness: readiness(NEXT_BOOT, false) };
    const stepState = { boot_id: NEXT_BOOT, boots: 1 };
    expect((await verifyHost(replies, { input, notes: since(4000) })).outcome).toMatchObject({ stepState });
  });
});
