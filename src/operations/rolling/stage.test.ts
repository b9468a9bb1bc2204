import { describe, expect, test } from 'vitest';
import type { PolicyWish } from '../../domain/rolling/policy.ts';
import { afterFailure, again, againAnew, done, failed, settled } from '../outcomes.ts';
import { GONE, labOf, workToStage } from './rolling-lab.ts';
import { stage } from './stage.ts';

type Lab = Parameters<typeof labOf>;

const [BOOTED, TARGET] = [
  { version: '43', checksum: 'c43', image: '' },
  { version: '44', checksum: 'c44', image: '' },
];
const ON_IMAGES = { host: { osDriver: 'images' } } as const;

async function stageOn(work: ReturnType<typeof workToStage>, answers: Lab[1], options?: Lab[2]) {
  const { context, ran, heard } = labOf(work, answers, options);
  return { outcome: await stage(work).run(context), ran, heard };
}

describe('staging an upgrade', () => {
  const upgrade = (wish: PolicyWish, answers: Lab[1], options?: Lab[2]) =>
    stageOn(workToStage('upgrade', wish), answers, options);
  const FETCHED = { fetch: 'got it\n', check: '' };

  test('downloads as a job, and tells what was said', async () => {
    const { outcome, ran, heard } = await upgrade({}, { ...FETCHED, pending: 'true' });
    expect(outcome).toEqual(done());
    expect(ran).toEqual(['# fetch', '# check', '# pending']);
    expect(heard.join('')).toBe('got it\n');
  });

  test.each<[string, PolicyWish, Lab[1], ReturnType<typeof settled>]>([
    ['something to do', {}, { pending: 'true' }, done()],
    ['nothing to do, nor a reboot', {}, { pending: 'false', 'reboot-need': 'false' }, settled()],
    ['nothing to do but a reboot', {}, { pending: 'false', 'reboot-need': 'true' }, done()],
    ['nothing to do, and a reboot however', { reboot: 'always' }, { pending: 'false' }, done()],
    ['nothing to do, and never a reboot', { reboot: 'never' }, { pending: 'false' }, settled()],
    [
      'an answer that makes no sense',
      {},
      { pending: '' },
      again('unexpected_output: cannot parse the list of pending upgrades'),
    ],
    ['no answer', {}, { pending: GONE }, afterFailure(GONE)],
    [
      'no sense in whether it needs a reboot',
      {},
      { pending: 'false', 'reboot-need': '' },
      again('unexpected_output: cannot parse the result of the reboot check'),
    ],
    [
      'no answer whether it needs a reboot',
      {},
      { pending: 'false', 'reboot-need': GONE },
      afterFailure(GONE),
    ],
  ])('finds %s', async (_what, wish, answers, expected) => {
    expect((await upgrade(wish, { ...FETCHED, ...answers })).outcome).toEqual(expected);
  });

  test('of an image system remembers what is staged', async () => {
    const deployments = JSON.stringify({ booted: BOOTED, staged: TARGET });
    const { outcome } = await upgrade({}, { ...FETCHED, pending: 'true', deployments }, ON_IMAGES);
    expect(outcome).toEqual(done({ ...TARGET }));
  });

  test('of an image system that cannot be asked what is staged is tried again', async () => {
    const answers = { ...FETCHED, pending: 'true', deployments: GONE };
    expect((await upgrade({}, answers, ON_IMAGES)).outcome).toEqual(afterFailure(GONE));
  });
});

describe('a command that does not succeed', () => {
  const problem = 'command_failed: fetch exited with 100: no mirror';
  const work = workToStage('upgrade');

  test.each([
    ['is begun anew', 0, againAnew(problem)],
    ['is begun anew once more', 1, againAnew(problem)],
    ['is given up in the third round', 2, failed(problem)],
  ])('%s', async (_what, round, expected) => {
    const { outcome, ran } = await stageOn(work, { fetch: [100, 'no mirror\n'] }, { progress: { round } });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# fetch']);
  });

  test('since the host is gone is gone on with, in whatever round', async () => {
    const { outcome } = await stageOn(work, { fetch: GONE }, { progress: { round: 7 } });
    expect(outcome).toEqual(afterFailure(GONE));
  });

  test('since no driver knows the system is given up', async () => {
    const { outcome } = await stageOn(work, {}, { host: { osDriver: '' } });
    expect(outcome).toMatchObject({ kind: 'failed', problem: expect.stringMatching(/^unsupported_os/) });
  });
});

describe('staging a deployment', () => {
  const REFERENCE = 'example.org/os:stable';
  const deploy = (deployments: unknown, version = '44') =>
    stageOn(
      { ...workToStage('deploy'), version },
      { pull: '', deployments: deployments === undefined ? '' : JSON.stringify(deployments) },
      ON_IMAGES,
    );

  test('pulls it, and remembers what is staged by its checksum', async () => {
    const { outcome, ran } = await deploy({ booted: BOOTED, staged: TARGET });
    expect(outcome).toEqual(done({ ...TARGET }));
    expect(ran).toEqual(['# pull 44', '# deployments']);
  });

  test.each([
    ['that is booted already is settled', { booted: TARGET }, '44', settled()],
    [
      'that follows a reference, and is there, is settled',
      { booted: { ...BOOTED, image: REFERENCE } },
      REFERENCE,
      settled(),
    ],
    [
      'that was not staged has failed',
      { booted: BOOTED },
      '44',
      failed('not_staged: 44 was requested, but nothing was staged'),
    ],
    [
      'that follows it by its scheme, and is there, is settled',
      { booted: { ...BOOTED, image: `ostree-unverified-registry:${REFERENCE}` } },
      REFERENCE,
      settled(),
    ],
    [
      'that follows another reference has failed',
      { booted: { ...BOOTED, image: 'example.org/os:testing' } },
      REFERENCE,
      failed(`not_staged: ${REFERENCE} was requested, but nothing was staged`),
    ],
    [
      'by a reference that nobody follows has failed',
      { booted: BOOTED },
      REFERENCE,
      failed(`not_staged: ${REFERENCE} was requested, but nothing was staged`),
    ],
    [
      'that makes no sense is asked for again',
      undefined,
      '44',
      again('unexpected_output: cannot parse the versions of the host'),
    ],
    [
      'without a booted one is asked for again',
      { staged: TARGET },
      '44',
      again('unexpected_output: cannot parse the versions of the host'),
    ],
    [
      'that the tool cannot be given has failed',
      { booted: BOOTED },
      'bad',
      failed('invalid_version: images does not accept the version "bad"'),
    ],
  ])('one %s', async (_what, deployments, version, expected) => {
    expect((await deploy(deployments, version)).outcome).toEqual(expected);
  });

  test('on a host that is gone by then is tried again', async () => {
    const { outcome } = await stageOn(workToStage('deploy'), { pull: '', deployments: GONE }, ON_IMAGES);
    expect(outcome).toEqual(afterFailure(GONE));
  });
});
