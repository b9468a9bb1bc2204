import { describe, expect, test } from 'vitest';
import type { HostFacts } from '../../domain/hosts/host-facts.ts';
import { UNKNOWN_FACTS } from '../../domain/hosts/host-facts.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import type { HostStatus, OperationKind } from '../../domain/vocabulary.ts';
import { done, failed, fromTransportFailure, noop, retry } from '../outcomes.ts';
import { RUN_IS_WRITABLE } from '../run-folder.ts';
import { preflight } from './preflight.ts';
import {
  BOOT,
  KEY_CHANGED,
  NEXT_BOOT,
  scriptError,
  stageTask,
  stepFixture,
  UNREACHABLE,
} from './step-fixtures.ts';

const facts = (more: Partial<HostFacts> = {}) =>
  JSON.stringify({ ...UNKNOWN_FACTS, bootId: BOOT, os: 'toyos', osDriver: 'packages', ...more });
const HEALTHY = { facts: facts(), id: '0\n', 'check-run': RUN_IS_WRITABLE };
const ANSWERED = { facts: JSON.parse(HEALTHY.facts), trigger: 'became_reachable', check: 'passed' } as const;
const IMAGES = { ...HEALTHY, facts: facts({ osDriver: 'images' }) };
const [BOOTED, TARGET] = [
  { version: '43', checksum: 'c43', image: '' },
  { version: '44', checksum: 'c44', image: '' },
];

type Fixture = Parameters<typeof stepFixture>;

async function runPreflight(
  kind: OperationKind,
  input: PolicyInput,
  replies: Fixture[1],
  options?: Fixture[2],
) {
  const task = stageTask(kind, input);
  const { context, commands } = stepFixture(task, replies, options);
  return { outcome: await preflight(task).run(context), ran: commands };
}

describe('before anything is changed', () => {
  test('a host that can be worked on tells its driver and its facts, and has answered', async () => {
    const { outcome, ran } = await runPreflight('restart', {}, HEALTHY);
    expect(outcome).toEqual(done({ os_driver: 'packages' }, ANSWERED));
    expect(ran).toEqual(['$ facts', '# id', '# check-run']);
  });

  test.each<[HostStatus, boolean]>([
    ['active', true],
    ['disassociated', true],
    ['unreachable', true],
    ['failed', false],
    ['investigating', false],
    ['bootstrapping', false],
  ])('one that is %s is looked at: %s', async (status, isProbed) => {
    const { outcome, ran } = await runPreflight('restart', {}, HEALTHY, { host: { status } });
    expect(ran.length > 0).toBe(isProbed);
    if (!isProbed)
      expect(outcome).toMatchObject({
        kind: 'failed',
        problem: expect.stringContaining(`has status ${status}`),
      });
  });

  test.each([
    ['does not answer', { facts: UNREACHABLE }, fromTransportFailure(UNREACHABLE)],
    ['shows another key', { facts: KEY_CHANGED }, fromTransportFailure(KEY_CHANGED)],
    ['makes no sense', { facts: '' }, retry('unexpected_output: cannot parse the facts of the host')],
    ['is gone by the next question', { ...HEALTHY, id: UNREACHABLE }, fromTransportFailure(UNREACHABLE)],
  ])('one that %s', async (_what, replies, expected) => {
    expect((await runPreflight('restart', {}, replies)).outcome).toEqual(expected);
  });

  test.each<[string, OperationKind, Fixture[1], Fixture[2], RegExp]>([
    ['does not make us root', 'restart', { ...HEALTHY, id: '1000\n' }, {}, /^not_root: /],
    [
      'runs a server of ours',
      'restart',
      HEALTHY,
      { serverBootIds: [NEXT_BOOT, BOOT] },
      /^runs_hostler_server: /,
    ],
    ['has no driver', 'restart', { ...HEALTHY, facts: facts({ osDriver: '' }) }, {}, /^unsupported_os: /],
    [
      'has a driver no more',
      'restart',
      { ...HEALTHY, facts: facts({ osDriver: 'old' }) },
      {},
      /^unsupported_os: /,
    ],
    ['is upgraded by packages', 'deploy', HEALTHY, {}, /^not_image_based: .*\(packages\); use upgrade/],
  ])('one that %s is refused', async (_what, kind, replies, options, problem) => {
    const { outcome } = await runPreflight(kind, {}, replies, options);
    expect(outcome).toMatchObject({ kind: 'failed', problem: expect.stringMatching(problem) });
  });

  test('what is known is what it says now, not what it said once', async () => {
    const { outcome } = await runPreflight('restart', {}, IMAGES, { host: { osDriver: 'packages' } });
    expect(outcome).toMatchObject({ result: { os_driver: 'images' } });
  });
});

describe('the check of /run', () => {
  const checked = (answer: Fixture[1][string]) =>
    runPreflight('upgrade', {}, { ...HEALTHY, 'check-run': answer });

  test.each([
    [
      'fails the host where /run is read-only',
      scriptError('create_folder', 'mkdir: Read-only file system'),
      failed('run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system'),
    ],
    ['is repeated where the host is gone', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    [
      'is repeated where the answer is unknown',
      'hello',
      retry('unexpected_output: cannot parse the result of the write test in /run'),
    ],
  ])('%s', async (_what, answer, expected) => {
    expect((await checked(answer)).outcome).toEqual(expected);
  });

  test('is not made on a host where nothing has to be done', async () => {
    const replies = { ...HEALTHY, 'reboot-need': 'false' };
    const { ran } = await runPreflight('restart', { reboot: 'if_needed' }, replies);
    expect(ran).toEqual(['$ facts', '# id', '# reboot-need']);
  });
});

describe('a restart where it is needed', () => {
  test.each([
    ['is not, there', 'false', noop(ANSWERED)],
    ['is, there', 'true', done({ os_driver: 'packages' }, ANSWERED)],
    ['makes no sense', '', retry('unexpected_output: cannot parse the result of the reboot check')],
    ['cannot be asked', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
  ])('%s', async (_what, need, expected) => {
    const replies = { ...HEALTHY, 'reboot-need': need };
    expect((await runPreflight('restart', { reboot: 'if_needed' }, replies)).outcome).toEqual(expected);
  });

  test('is not asked about where it is always due, nor for an upgrade', async () => {
    expect((await runPreflight('restart', {}, HEALTHY)).ran).not.toContain('# reboot-need');
    expect((await runPreflight('upgrade', { reboot: 'if_needed' }, HEALTHY)).ran).not.toContain(
      '# reboot-need',
    );
  });
});

describe('a deploy', () => {
  test.each([
    ['there already is settled', { booted: TARGET }, 'noop'],
    ['there, with another staged, is not', { booted: TARGET, staged: BOOTED }, 'done'],
    ['only staged is not there', { booted: BOOTED, staged: TARGET }, 'done'],
    ['elsewhere goes on', { booted: BOOTED }, 'done'],
  ])('%s', async (_what, deployments, kind) => {
    const replies = { ...IMAGES, deployments: JSON.stringify(deployments) };
    expect((await runPreflight('deploy', {}, replies)).outcome.kind).toBe(kind);
  });

  test.each([
    ['cannot be asked', UNREACHABLE, fromTransportFailure(UNREACHABLE)],
    ['makes no sense', '', retry('unexpected_output: cannot parse the versions of the host')],
  ])('of a host that %s', async (_what, deployments, expected) => {
    expect((await runPreflight('deploy', {}, { ...IMAGES, deployments })).outcome).toEqual(expected);
  });

  test('of what the system cannot be given is refused', async () => {
    const task = { ...stageTask('deploy'), version: 'bad' };
    const outcome = await preflight(task).run(stepFixture(task, IMAGES).context);
    expect(outcome).toMatchObject({
      kind: 'failed',
      problem: 'invalid_version: images does not accept the version "bad"',
    });
  });
});
