import { describe, expect, test } from 'vitest';
import {
  BOOT,
  KEY_CHANGED,
  NEXT_BOOT,
  scriptError,
  stageTask,
  stepFixture,
  UNREACHABLE,
} from '../../../test/harness/rollout/step-fixtures.ts';
import type { HostFacts } from '../../domain/hosts/host-facts.ts';
import { UNKNOWN_PROPERTIES } from '../../domain/hosts/host-facts.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import type { HostStatus, OperationKind } from '../../domain/vocabulary.ts';
import { done, failed, fromTransportFailure, noop, retry } from '../outcomes.ts';
import { RUN_IS_WRITABLE } from '../run-folder.ts';
import { preflight } from './preflight-and-verify.ts';

const facts = (overrides: Partial<HostFacts> = {}) =>
  JSON.stringify({ ...UNKNOWN_PROPERTIES, uptimeS: 0, bootId: BOOT, os: 'toyos', osDriver: 'packages', ...overrides });
const HEALTHY = { facts: facts(), id: '0\n', 'check-run': RUN_IS_WRITABLE };
const HOST_UPDATE = {
  facts: JSON.parse(HEALTHY.facts),
  trigger: 'became_reachable',
  checkResult: 'passed',
} as const;
const IMAGES = { ...HEALTHY, facts: facts({ osDriver: 'images' }) };
const [BOOTED, TARGET] = [
  { version: '43', checksum: 'c43', image: '' },
  { version: '44', checksum: 'c44', image: '' },
];

type Fixture = Parameters<typeof stepFixture>;

async function runPreflight(kind: OperationKind, input: PolicyInput, replies: Fixture[1], options?: Fixture[2]) {
  const task = stageTask(kind, input);
  const { context, commands } = stepFixture(task, replies, options);
  return { outcome: await preflight.run(context), ran: commands };
}

describe('preflight', () => {
  test('returns the driver and the facts of a healthy host', async () => {
    const { outcome, ran } = await runPreflight('restart', {}, HEALTHY);
    expect(outcome).toEqual(done({ os_driver: 'packages' }, HOST_UPDATE));
    expect(ran).toEqual(['$ facts', '# id', '# check-run']);
  });

  test.each<[HostStatus, boolean]>([
    ['active', true],
    ['disassociated', true],
    ['unreachable', true],
    ['failed', false],
    ['investigating', false],
    ['bootstrapping', false],
  ])('queries a host with status %s: %s', async (status, isQueried) => {
    const { outcome, ran } = await runPreflight('restart', {}, HEALTHY, { host: { status } });
    expect(ran.length > 0).toBe(isQueried);
    if (!isQueried)
      expect(outcome).toMatchObject({
        kind: 'failed',
        problem: expect.stringContaining(`has status ${status}`),
      });
  });

  test.each([
    ['does not respond', { facts: UNREACHABLE }, fromTransportFailure(UNREACHABLE)],
    ['presents a different key', { facts: KEY_CHANGED }, fromTransportFailure(KEY_CHANGED)],
    ['returns unreadable facts', { facts: '' }, retry('unexpected_output: cannot parse the facts of the host')],
    ['becomes unreachable after the first query', { ...HEALTHY, id: UNREACHABLE }, fromTransportFailure(UNREACHABLE)],
  ])('returns the reason for a host that %s', async (_what, replies, expected) => {
    expect((await runPreflight('restart', {}, replies)).outcome).toEqual(expected);
  });

  test.each<[string, OperationKind, Fixture[1], Fixture[2], RegExp]>([
    ['gives no root access', 'restart', { ...HEALTHY, id: '1000\n' }, {}, /^not_root: /],
    ['runs a Hostler server', 'restart', HEALTHY, { serverBootIds: [NEXT_BOOT, BOOT] }, /^runs_hostler_server: /],
    ['has no driver', 'restart', { ...HEALTHY, facts: facts({ osDriver: '' }) }, {}, /^unsupported_os: /],
    [
      'has a driver that is no longer available',
      'restart',
      { ...HEALTHY, facts: facts({ osDriver: 'old' }) },
      {},
      /^unsupported_os: /,
    ],
    ['uses packages but is to be deployed', 'deploy', HEALTHY, {}, /^not_image_based: .*\(packages\); use upgrade/],
  ])('fails for a host that %s', async (_what, kind, replies, options, problem) => {
    const { outcome } = await runPreflight(kind, {}, replies, options);
    expect(outcome).toMatchObject({ kind: 'failed', problem: expect.stringMatching(problem) });
  });

  test('uses the current facts, not the stored ones', async () => {
    const { outcome } = await runPreflight('restart', {}, IMAGES, { host: { osDriver: 'packages' } });
    expect(outcome).toMatchObject({ result: { os_driver: 'images' } });
  });
});

describe('preflight check of /run', () => {
  const checked = (response: Fixture[1][string]) => runPreflight('upgrade', {}, { ...HEALTHY, 'check-run': response });

  test.each([
    [
      'fails when /run is read-only',
      scriptError('create_folder', 'mkdir: Read-only file system'),
      failed('run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system'),
    ],
    ['is retried when the host is unreachable', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    [
      'is retried when the output is unreadable',
      'hello',
      retry('unexpected_output: cannot parse the result of the write test in /run'),
    ],
  ])('%s', async (_what, response, expected) => {
    expect((await checked(response)).outcome).toEqual(expected);
  });

  test('is skipped when nothing has to be done', async () => {
    const replies = { ...HEALTHY, 'reboot-required': 'false' };
    const { ran } = await runPreflight('restart', { reboot: 'if_needed' }, replies);
    expect(ran).toEqual(['$ facts', '# id', '# reboot-required']);
  });
});

describe('preflight of a restart if needed', () => {
  test.each([
    ['is a noop when no reboot is required', 'false', noop(HOST_UPDATE)],
    ['continues when a reboot is required', 'true', done({ os_driver: 'packages' }, HOST_UPDATE)],
    [
      'retries when the result of the reboot check is unreadable',
      '',
      retry('unexpected_output: cannot parse the result of the reboot check'),
    ],
    ['retries when the host is unreachable', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
  ])('%s', async (_what, rebootRequired, expected) => {
    const replies = { ...HEALTHY, 'reboot-required': rebootRequired };
    expect((await runPreflight('restart', { reboot: 'if_needed' }, replies)).outcome).toEqual(expected);
  });

  test('skips the reboot check for reboot mode always and for upgrades', async () => {
    expect((await runPreflight('restart', {}, HEALTHY)).ran).not.toContain('# reboot-required');
    expect((await runPreflight('upgrade', { reboot: 'if_needed' }, HEALTHY)).ran).not.toContain('# reboot-required');
  });
});

describe('preflight of a deploy', () => {
  test.each([
    ['is a noop when the target is booted', { booted: TARGET }, 'noop'],
    ['continues when another version is staged', { booted: TARGET, staged: BOOTED }, 'done'],
    ['continues when the target is only staged', { booted: BOOTED, staged: TARGET }, 'done'],
    ['continues when another version is booted', { booted: BOOTED }, 'done'],
  ])('%s', async (_what, deployments, kind) => {
    const replies = { ...IMAGES, deployments: JSON.stringify(deployments) };
    expect((await runPreflight('deploy', {}, replies)).outcome.kind).toBe(kind);
  });

  test.each([
    ['is unreachable', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    ['returns unreadable versions', '', retry('unexpected_output: cannot parse the versions of the host')],
  ])('retries when the host %s', async (_what, deployments, expected) => {
    expect((await runPreflight('deploy', {}, { ...IMAGES, deployments })).outcome).toEqual(expected);
  });

  test('fails for a version that the driver does not accept', async () => {
    const task = { ...stageTask('deploy'), version: 'bad' };
    const outcome = await preflight.run(stepFixture(task, IMAGES).context);
    expect(outcome).toMatchObject({
      kind: 'failed',
      problem: 'invalid_version: images does not accept the version "bad"',
    });
  });
});
