import { describe, expect, test } from 'vitest';
import type { Address } from '../domain/addresses/address.ts';
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
import { parseRebootArgv } from './reboot/send-reboot.ts';

const dryRunWith = createDryRun(createOsRegistry());
const dryRun = (target: Host, operation: DryRunInput, { awaitsBootstrap = false } = {}) =>
  dryRunWith(target, operation, {
    status: target.status,
    isInMaintenance: target.maintenance !== null,
    awaitsBootstrap,
  });
const BOOT = '01234567-89ab-cdef-0123-456789abcdef';

const host = (more: Partial<Host>): Host => ({
  ...newHost('127.0.0.1' as Address, { enrolment: 'e' }),
  ...{ status: 'active', bootId: BOOT, osDriver: 'apt', ...more },
});

interface PlanOptions extends Partial<Pick<DryRunInput, 'serverBootIds'>> {
  readonly hasManager?: boolean;
  readonly wish?: PolicyInput;
}

function plan(
  kind: OperationKind,
  { hasManager = false, wish: input = {}, ...more }: PlanOptions = {},
): DryRunInput {
  const policy = resolvePolicy(kind, { input, defaults: {}, hasManager });
  if (Array.isArray(policy)) throw new Error(JSON.stringify(policy));
  const version = kind === 'deploy' ? '44.1' : '';
  const cluster = toRecordName('web');
  return { kind, cluster, version, policy, serverBootIds: [], ...more };
}

const stepsOf = (target: Host, operation: DryRunInput) =>
  dryRun(target, operation).commands.map(
    ({ step, phase, argv }) => `${phase}: ${step}${argv ? '' : ' (asked)'}`,
  );

describe('what would be done on a host', () => {
  test('is the same that the steps do, in their order', () => {
    const upgrade = dryRun(host({}), plan('upgrade', { wish: { check: ['true'] } })).commands;
    const run = (step: string) => upgrade.filter(command => command.step === step).map(({ argv }) => argv);
    expect(run('stage')).toEqual(apt.upgrade.stage);
    expect(run('apply')).toEqual(apt.upgrade.apply);
    expect(run('verify')).toEqual([['true']]);
    expect([...new Set(upgrade.map(({ step }) => step))]).toEqual(['stage', 'apply', 'reboot', 'verify']);
  });

  test('asks the container manager before and after', () => {
    expect(stepsOf(host({}), plan('restart', { hasManager: true }))).toEqual([
      'cordoning: cordon (asked)',
      'draining: drain (asked)',
      'armed: reboot',
      'uncordoning: uncordon (asked)',
    ]);
  });

  test.each<[PolicyInput, RegExp]>([
    [{}, /the host fails if this takes longer than 15m$/],
    [
      { drain: { timeoutS: 5, onTimeout: 'force' } },
      /after 5s, the remaining workloads are removed by force$/,
    ],
  ])('says of %j how a node is drained', (wish, expected) => {
    const { commands } = dryRun(host({}), plan('restart', { hasManager: true, wish }));
    expect(commands.find(({ step }) => step === 'drain')?.detail).toMatch(expected);
  });

  test('is a guarded reboot of the boot that is known', () => {
    const [reboot] = dryRun(host({}), plan('restart')).commands;
    expect(reboot?.argv && parseRebootArgv(reboot.argv)).toMatchObject({
      name: `reboot_<operation>_1_${BOOT}`,
      bootId: BOOT,
      customRebootArgv: null,
    });
    const [unknown] = dryRun(host({ bootId: '' }), plan('restart')).commands;
    expect(unknown?.argv?.slice(-2)).toEqual(['<boot id>', '<uptime in seconds + 60>']);
  });

  test.each([
    ['if_needed', ['only if the host needs a reboot']],
    ['always', ['']],
    ['never', []],
  ] as const)('reboots %s as the policy says', (reboot, details) => {
    const { commands } = dryRun(host({}), plan('upgrade', { wish: { reboot } }));
    expect(commands.filter(({ step }) => step === 'reboot').map(({ detail }) => detail)).toEqual(details);
  });

  test('shows what is known only later in angle brackets', () => {
    const { commands } = dryRun(host({ osDriver: 'rpm-ostree' }), plan('deploy'));
    expect(commands.filter(({ step }) => step === 'stage').map(({ argv }) => argv)).toEqual(
      rpmOstree.image?.stage('44.1'),
    );
    expect(commands.at(-1)?.argv?.slice(-4)).toEqual([
      ...['rpm-ostree', 'finalize-deployment', '--allow-unlocked', '<staged checksum>'],
    ]);
  });
});

describe('what stands in the way', () => {
  test.each<[string, Partial<Host>, DryRunInput]>([
    ['in_maintenance', { maintenance: '' }, plan('restart')],
    ['not_ready', { status: 'failed' }, plan('restart')],
    ['bootstrap_pending', { status: 'investigating' }, plan('restart')],
    ['runs_hostler_server', {}, plan('restart', { serverBootIds: [BOOT] })],
    ['unsupported_os', { osDriver: '' }, plan('upgrade')],
    ['not_image_based', {}, plan('deploy')],
    ['invalid_version', { osDriver: 'bootc' }, plan('deploy')],
  ])('is %s, and nothing would be run', (reason, of, by) => {
    const { problem, commands } = dryRun(host(of), by);
    expect([problem.split(':')[0], commands]).toEqual([reason, []]);
  });

  test.each([
    ['host_key_changed: the host presented a different key', 'failed (host_key_changed)'],
    ['', 'failed'],
  ])('of a failed host with the reason "%s" is its status, %s', (reason, status) => {
    const { problem } = dryRun(host({ status: 'failed', reason }), plan('restart'));
    expect(problem).toBe(`not_ready: the host has status ${status}`);
  });

  test.each<[HostStatus, string]>([
    ['unreachable', 'bootstrap_pending'],
    ['failed', 'bootstrap_pending'],
    ['disassociated', 'bootstrap_pending'],
    ['active', ''],
  ])('of a host that is %s, and still to be bootstrapped, is "%s"', (status, reason) => {
    const { problem } = dryRun(host({ status }), plan('restart'), { awaitsBootstrap: true });
    expect(problem.split(':')[0]).toBe(reason);
  });

  test.each<[string, Partial<Host>, DryRunInput]>([
    ['a host that does not answer now', { status: 'unreachable' }, plan('restart')],
    ['a container manager', {}, plan('restart', { hasManager: true })],
  ])('is not %s', (_what, of, by) => {
    expect(dryRun(host(of), by).problem).toBe('');
  });
});
