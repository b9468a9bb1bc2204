import { describe, expect, test } from 'vitest';
import type { HostFacts } from '../../domain/hosts/host-facts.ts';
import { NO_FACTS } from '../../domain/hosts/host-facts.ts';
import type { PolicyWish } from '../../domain/rolling/policy.ts';
import type { HostStatus, OperationKind } from '../../domain/vocabulary.ts';
import { afterFailure, again, done, failed, settled } from '../outcomes.ts';
import { RUN_IS_WRITABLE } from '../run-folder.ts';
import { preflight } from './preflight.ts';
import { BOOT, GONE, labOf, NEXT_BOOT, STRANGER, scriptError, workToStage } from './rolling-lab.ts';

const facts = (more: Partial<HostFacts> = {}) =>
  JSON.stringify({ ...NO_FACTS, bootId: BOOT, os: 'toyos', osDriver: 'packages', ...more });
const WELL = { facts: facts(), id: '0\n', 'check-run': RUN_IS_WRITABLE };
const ANSWERED = { facts: JSON.parse(WELL.facts), cause: 'answered', check: 'passed' } as const;
const IMAGES = { ...WELL, facts: facts({ osDriver: 'images' }) };
const [BOOTED, TARGET] = [
  { version: '43', checksum: 'c43', image: '' },
  { version: '44', checksum: 'c44', image: '' },
];

type Lab = Parameters<typeof labOf>;

async function look(kind: OperationKind, wish: PolicyWish, answers: Lab[1], options?: Lab[2]) {
  const work = workToStage(kind, wish);
  const { context, ran } = labOf(work, answers, options);
  return { outcome: await preflight(work).run(context), ran };
}

describe('before anything is changed', () => {
  test('a host that can be worked on tells its driver and its facts, and has answered', async () => {
    const { outcome, ran } = await look('restart', {}, WELL);
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
  ])('one that is %s is looked at: %s', async (status, isLookedAt) => {
    const { outcome, ran } = await look('restart', {}, WELL, { host: { status } });
    expect(ran.length > 0).toBe(isLookedAt);
    if (!isLookedAt)
      expect(outcome).toMatchObject({
        kind: 'failed',
        problem: expect.stringContaining(`has status ${status}`),
      });
  });

  test.each([
    ['does not answer', { facts: GONE }, afterFailure(GONE)],
    ['shows another key', { facts: STRANGER }, afterFailure(STRANGER)],
    ['makes no sense', { facts: '' }, again('unexpected_output: cannot parse the facts of the host')],
    ['is gone by the next question', { ...WELL, id: GONE }, afterFailure(GONE)],
  ])('one that %s', async (_what, answers, expected) => {
    expect((await look('restart', {}, answers)).outcome).toEqual(expected);
  });

  test.each<[string, OperationKind, Lab[1], Lab[2], RegExp]>([
    ['does not make us root', 'restart', { ...WELL, id: '1000\n' }, {}, /^not_root: /],
    [
      'runs a server of ours',
      'restart',
      WELL,
      { serverBootIds: [NEXT_BOOT, BOOT] },
      /^runs_hostler_server: /,
    ],
    ['has no driver', 'restart', { ...WELL, facts: facts({ osDriver: '' }) }, {}, /^unsupported_os: /],
    [
      'has a driver no more',
      'restart',
      { ...WELL, facts: facts({ osDriver: 'old' }) },
      {},
      /^unsupported_os: /,
    ],
    ['is upgraded by packages', 'deploy', WELL, {}, /^not_image_based: .*\(packages\); use upgrade/],
  ])('one that %s is refused', async (_what, kind, answers, options, problem) => {
    const { outcome } = await look(kind, {}, answers, options);
    expect(outcome).toMatchObject({ kind: 'failed', problem: expect.stringMatching(problem) });
  });

  test('what is known is what it says now, not what it said once', async () => {
    const { outcome } = await look('restart', {}, IMAGES, { host: { osDriver: 'packages' } });
    expect(outcome).toMatchObject({ result: { os_driver: 'images' } });
  });
});

describe('the check of /run', () => {
  const checked = (answer: Lab[1][string]) => look('upgrade', {}, { ...WELL, 'check-run': answer });

  test.each([
    [
      'fails the host where /run is read-only',
      scriptError('create_folder', 'mkdir: Read-only file system'),
      failed('run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system'),
    ],
    ['is repeated where the host is gone', GONE, afterFailure(GONE)],
    [
      'is repeated where the answer is unknown',
      'hello',
      again('unexpected_output: cannot parse the result of the write test in /run'),
    ],
  ])('%s', async (_what, answer, expected) => {
    expect((await checked(answer)).outcome).toEqual(expected);
  });

  test('is not made on a host where nothing has to be done', async () => {
    const answers = { ...WELL, 'reboot-need': 'false' };
    const { ran } = await look('restart', { reboot: 'if_needed' }, answers);
    expect(ran).toEqual(['$ facts', '# id', '# reboot-need']);
  });
});

describe('a restart where it is needed', () => {
  test.each([
    ['is not, there', 'false', settled(ANSWERED)],
    ['is, there', 'true', done({ os_driver: 'packages' }, ANSWERED)],
    ['makes no sense', '', again('unexpected_output: cannot parse the result of the reboot check')],
    ['cannot be asked', GONE, afterFailure(GONE)],
  ])('%s', async (_what, need, expected) => {
    const answers = { ...WELL, 'reboot-need': need };
    expect((await look('restart', { reboot: 'if_needed' }, answers)).outcome).toEqual(expected);
  });

  test('is not asked about where it is always due, nor for an upgrade', async () => {
    expect((await look('restart', {}, WELL)).ran).not.toContain('# reboot-need');
    expect((await look('upgrade', { reboot: 'if_needed' }, WELL)).ran).not.toContain('# reboot-need');
  });
});

describe('a deploy', () => {
  test.each([
    ['there already is settled', { booted: TARGET }, 'noop'],
    ['there, with another staged, is not', { booted: TARGET, staged: BOOTED }, 'done'],
    ['only staged is not there', { booted: BOOTED, staged: TARGET }, 'done'],
    ['elsewhere goes on', { booted: BOOTED }, 'done'],
  ])('%s', async (_what, deployments, kind) => {
    const answers = { ...IMAGES, deployments: JSON.stringify(deployments) };
    expect((await look('deploy', {}, answers)).outcome.kind).toBe(kind);
  });

  test.each([
    ['cannot be asked', GONE, afterFailure(GONE)],
    ['makes no sense', '', again('unexpected_output: cannot parse the versions of the host')],
  ])('of a host that %s', async (_what, deployments, expected) => {
    expect((await look('deploy', {}, { ...IMAGES, deployments })).outcome).toEqual(expected);
  });

  test('of what the system cannot be given is refused', async () => {
    const work = { ...workToStage('deploy'), version: 'bad' };
    const outcome = await preflight(work).run(labOf(work, IMAGES).context);
    expect(outcome).toMatchObject({
      kind: 'failed',
      problem: 'invalid_version: images does not accept the version "bad"',
    });
  });
});
