import { describe, expect, test } from 'vitest';
import type { Address } from '../domain/addresses/address.ts';
import { AppError } from '../domain/errors.ts';
import type { Host } from '../domain/hosts/host.ts';
import { newHost } from '../domain/hosts/host.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { DryRunInput } from '../domain/rollout/dry-run.ts';
import type { PolicyInput } from '../domain/rollout/policy.ts';
import { resolvePolicy } from '../domain/rollout/policy.ts';
import type { HostStatus, OperationKind } from '../domain/vocabulary.ts';
import { apt } from '../drivers/os/apt/apt.ts';
import { createOsRegistry } from '../drivers/os/index.ts';
import { rpmOstree } from '../drivers/os/rpm-ostree/rpm-ostree.ts';
import { createDryRun } from './dry-run.ts';
import { parseRebootArgv } from './reboot/reboot-scripts.ts';

const dryRunWith = createDryRun(createOsRegistry());
const dryRun = (target: Host, operation: DryRunInput, { awaitsBootstrap = false } = {}) =>
  dryRunWith(target, operation, {
    status: target.status,
    isInMaintenance: target.maintenance !== null,
    awaitsBootstrap,
  });
const BOOT = '01234567-89ab-cdef-0123-456789abcdef';

const host = (overrides: Partial<Host>): Host => ({
  ...newHost('127.0.0.1' as Address, { enrolment: 'e' }),
  ...{ status: 'active', bootId: BOOT, osDriver: 'apt', ...overrides },
});

interface PlanOptions extends Partial<Pick<DryRunInput, 'serverBootIds'>> {
  readonly hasManager?: boolean;
  readonly input?: PolicyInput;
}

function plan(kind: OperationKind, { hasManager = false, input = {}, ...more }: PlanOptions = {}): DryRunInput {
  const policy = resolvePolicy(kind, { input, defaults: {}, hasManager });
  if (policy instanceof AppError) throw new Error(JSON.stringify(policy));
  const version = kind === 'deploy' ? '44.1' : '';
  const cluster = toRecordName('web');
  return { kind, cluster, version, policy, serverBootIds: [], ...more };
}

const stepsOf = (target: Host, operation: DryRunInput) =>
  dryRun(target, operation).commands.map(({ step, phase, argv }) => `${phase}: ${step}${argv ? '' : ' (manager)'}`);

describe('dry run commands', () => {
  test('lists the commands of the steps in their order', () => {
    const upgrade = dryRun(host({}), plan('upgrade', { input: { check: ['true'] } })).commands;
    const run = (step: string) => upgrade.filter(command => command.step === step).map(({ argv }) => argv);
    expect(run('stage')).toEqual(apt.upgrade.stage);
    expect(run('apply')).toEqual(apt.upgrade.apply);
    expect(run('verify')).toEqual([['true']]);
    expect([...new Set(upgrade.map(({ step }) => step))]).toEqual(['stage', 'apply', 'reboot', 'verify']);
  });

  test('lists the container manager calls before and after the reboot', () => {
    expect(stepsOf(host({}), plan('restart', { hasManager: true }))).toEqual([
      'cordoning: cordon (manager)',
      'draining: drain (manager)',
      'armed: reboot',
      'uncordoning: uncordon (manager)',
    ]);
  });

  test.each<[PolicyInput, RegExp]>([
    [{}, /the host fails if this takes longer than 15m$/],
    [{ drain: { timeoutS: 5, onTimeout: 'force' } }, /after 5s, the remaining workloads are removed by force$/],
  ])('describes the drain for policy %j', (input, expected) => {
    const { commands } = dryRun(host({}), plan('restart', { hasManager: true, input }));
    expect(commands.find(({ step }) => step === 'drain')?.detail).toMatch(expected);
  });

  test('uses the reboot guard with the known boot id', () => {
    const [reboot] = dryRun(host({}), plan('restart')).commands;
    expect(reboot?.argv && parseRebootArgv(reboot.argv)).toMatchObject({
      name: `reboot_<operation>_1_${BOOT}`,
      bootId: BOOT,
      customRebootArgv: null,
    });
    const [withoutBootId] = dryRun(host({ bootId: '' }), plan('restart')).commands;
    expect(withoutBootId?.argv?.slice(-2)).toEqual(['<boot id>', '<uptime in seconds + 60>']);
  });

  test.each([
    ['if_needed', ['only if the host needs a reboot']],
    ['always', ['']],
    ['never', []],
  ] as const)('lists the reboot according to reboot mode %s', (reboot, details) => {
    const { commands } = dryRun(host({}), plan('upgrade', { input: { reboot } }));
    expect(commands.filter(({ step }) => step === 'reboot').map(({ detail }) => detail)).toEqual(details);
  });

  test('shows values that are not known yet in angle brackets', () => {
    const { commands } = dryRun(host({ osDriver: 'rpm-ostree' }), plan('deploy'));
    expect(commands.filter(({ step }) => step === 'stage').map(({ argv }) => argv)).toEqual(
      rpmOstree.image?.stage('44.1'),
    );
    expect(commands.at(-1)?.argv?.slice(-4)).toEqual([
      ...['rpm-ostree', 'finalize-deployment', '--allow-unlocked', '<staged checksum>'],
    ]);
  });
});

describe('dry run problem', () => {
  test.each<[string, Partial<Host>, DryRunInput]>([
    ['in_maintenance', { maintenance: '' }, plan('restart')],
    ['not_ready', { status: 'failed' }, plan('restart')],
    ['bootstrap_pending', { status: 'investigating' }, plan('restart')],
    ['runs_hostler_server', {}, plan('restart', { serverBootIds: [BOOT] })],
    ['unsupported_os', { osDriver: '' }, plan('upgrade')],
    ['not_image_based', {}, plan('deploy')],
    ['invalid_version', { osDriver: 'bootc' }, plan('deploy')],
  ])('is %s, without commands', (reason, of, by) => {
    const { problem, commands } = dryRun(host(of), by);
    expect([problem.split(':')[0], commands]).toEqual([reason, []]);
  });

  test.each([
    ['host_key_changed: the host presented a different key', 'failed (host_key_changed)'],
    ['', 'failed'],
  ])('describes a failed host with the reason "%s" by the status %s', (reason, status) => {
    const { problem } = dryRun(host({ status: 'failed', reason }), plan('restart'));
    expect(problem).toBe(`not_ready: the host has status ${status}`);
  });

  test.each<[HostStatus, string]>([
    ['unreachable', 'bootstrap_pending'],
    ['failed', 'bootstrap_pending'],
    ['disassociated', 'bootstrap_pending'],
    ['active', ''],
  ])('describes a host with status %s that awaits its bootstrap as "%s"', (status, reason) => {
    const { problem } = dryRun(host({ status }), plan('restart'), { awaitsBootstrap: true });
    expect(problem.split(':')[0]).toBe(reason);
  });

  test.each<[string, Partial<Host>, DryRunInput]>([
    ['an unreachable host', { status: 'unreachable' }, plan('restart')],
    ['a cluster with a container manager', {}, plan('restart', { hasManager: true })],
  ])('is empty for %s', (_case, of, by) => {
    expect(dryRun(host(of), by).problem).toBe('');
  });
});
