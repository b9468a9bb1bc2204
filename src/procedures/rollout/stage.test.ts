import { describe, expect, test } from 'vitest';
import { stageTask, stepFixture, UNREACHABLE } from '../../../test/harness/rollout/step-fixtures.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import { done, failed, fromTransportFailure, noop, retry, retryWithNewJobs } from '../outcomes.ts';
import { stage } from './stage.ts';

type Fixture = Parameters<typeof stepFixture>;

const [BOOTED, TARGET] = [
  { version: '43', checksum: 'c43', image: '' },
  { version: '44', checksum: 'c44', image: '' },
];
const ON_IMAGES = { host: { osDriver: 'images' } } as const;

async function stageOn(task: ReturnType<typeof stageTask>, replies: Fixture[1], options?: Fixture[2]) {
  const { context, commands, output } = stepFixture(task, replies, options);
  return { outcome: await stage.run(context), ran: commands, output };
}

describe('stage of an upgrade', () => {
  const upgrade = (input: PolicyInput, replies: Fixture[1], options?: Fixture[2]) =>
    stageOn(stageTask('upgrade', input), replies, options);
  const FETCHED = { fetch: 'downloaded\n', check: '' };

  test('downloads as a job and captures the output', async () => {
    const { outcome, ran, output } = await upgrade({}, { ...FETCHED, pending: 'true' });
    expect(outcome).toEqual(done());
    expect(ran).toEqual(['# fetch', '# check', '# pending']);
    expect(output.join('')).toBe('downloaded\n');
  });

  test.each<[string, PolicyInput, Fixture[1], ReturnType<typeof noop>]>([
    ['pending updates to done', {}, { pending: 'true' }, done()],
    ['no updates and no required reboot to noop', {}, { pending: 'false', 'reboot-required': 'false' }, noop()],
    ['no updates but a required reboot to done', {}, { pending: 'false', 'reboot-required': 'true' }, done()],
    ['no updates with reboot always to done', { reboot: 'always' }, { pending: 'false' }, done()],
    ['no updates with reboot never to noop', { reboot: 'never' }, { pending: 'false' }, noop()],
    [
      'unreadable updates to retry',
      {},
      { pending: '' },
      retry('unexpected_output: cannot parse the list of pending upgrades'),
    ],
    ['an updates query without response to retry', {}, { pending: UNREACHABLE }, fromTransportFailure(UNREACHABLE)],
    [
      'an unreadable reboot check to retry',
      {},
      { pending: 'false', 'reboot-required': '' },
      retry('unexpected_output: cannot parse the result of the reboot check'),
    ],
    [
      'a reboot check without response to retry',
      {},
      { pending: 'false', 'reboot-required': UNREACHABLE },
      fromTransportFailure(UNREACHABLE),
    ],
  ])('maps %s', async (_what, input, replies, expected) => {
    expect((await upgrade(input, { ...FETCHED, ...replies })).outcome).toEqual(expected);
  });

  test('stores the staged deployment of an image-based system', async () => {
    const deployments = JSON.stringify({ booted: BOOTED, staged: TARGET });
    const { outcome } = await upgrade({}, { ...FETCHED, pending: 'true', deployments }, ON_IMAGES);
    expect(outcome).toEqual(done({ ...TARGET }));
  });

  test('retries when the deployments query fails', async () => {
    const replies = { ...FETCHED, pending: 'true', deployments: UNREACHABLE };
    expect((await upgrade({}, replies, ON_IMAGES)).outcome).toEqual(fromTransportFailure(UNREACHABLE));
  });
});

describe('stage with a failing command', () => {
  const problem = 'command_failed: fetch exited with 100: no mirror';
  const task = stageTask('upgrade');

  test.each([
    ['retries with new jobs after the first round', 0, retryWithNewJobs(problem)],
    ['retries with new jobs after the second round', 1, retryWithNewJobs(problem)],
    ['fails after the third round', 2, failed(problem)],
  ])('%s', async (_what, jobRound, expected) => {
    const { outcome, ran } = await stageOn(task, { fetch: [100, 'no mirror\n'] }, { state: { jobRound } });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# fetch']);
  });

  test('retries in any round when the host is unreachable', async () => {
    const { outcome } = await stageOn(task, { fetch: UNREACHABLE }, { state: { jobRound: 7 } });
    expect(outcome).toEqual(fromTransportFailure(UNREACHABLE));
  });

  test('fails when no driver supports the OS', async () => {
    const { outcome } = await stageOn(task, {}, { host: { osDriver: '' } });
    expect(outcome).toMatchObject({ kind: 'failed', problem: expect.stringMatching(/^unsupported_os/) });
  });
});

describe('stage of a deploy', () => {
  const REFERENCE = 'example.org/os:stable';
  const deploy = (deployments: unknown, version = '44') =>
    stageOn(
      { ...stageTask('deploy'), version },
      { pull: '', deployments: deployments === undefined ? '' : JSON.stringify(deployments) },
      ON_IMAGES,
    );

  test('pulls the image and stores the staged deployment with its checksum', async () => {
    const { outcome, ran } = await deploy({ booted: BOOTED, staged: TARGET });
    expect(outcome).toEqual(done({ ...TARGET }));
    expect(ran).toEqual(['# pull 44', '# deployments']);
  });

  test.each([
    ['is a noop when the version is booted', { booted: TARGET }, '44', noop()],
    ['is a noop when the host follows the reference', { booted: { ...BOOTED, image: REFERENCE } }, REFERENCE, noop()],
    [
      'fails when nothing was staged',
      { booted: BOOTED },
      '44',
      failed('not_staged: 44 was requested, but nothing was staged'),
    ],
    [
      'is a noop when the host follows the reference with a transport prefix',
      { booted: { ...BOOTED, image: `ostree-unverified-registry:${REFERENCE}` } },
      REFERENCE,
      noop(),
    ],
    [
      'fails when the host follows another reference',
      { booted: { ...BOOTED, image: 'example.org/os:testing' } },
      REFERENCE,
      failed(`not_staged: ${REFERENCE} was requested, but nothing was staged`),
    ],
    [
      'fails when the host follows no reference',
      { booted: BOOTED },
      REFERENCE,
      failed(`not_staged: ${REFERENCE} was requested, but nothing was staged`),
    ],
    [
      'retries unreadable deployments',
      undefined,
      '44',
      retry('unexpected_output: cannot parse the versions of the host'),
    ],
    [
      'retries without a booted deployment',
      { staged: TARGET },
      '44',
      retry('unexpected_output: cannot parse the versions of the host'),
    ],
    [
      'fails for an invalid version',
      { booted: BOOTED },
      'bad',
      failed('invalid_version: images does not accept the version "bad"'),
    ],
  ])('%s', async (_what, deployments, version, expected) => {
    expect((await deploy(deployments, version)).outcome).toEqual(expected);
  });

  test('retries when the host is unreachable after the pull', async () => {
    const { outcome } = await stageOn(stageTask('deploy'), { pull: '', deployments: UNREACHABLE }, ON_IMAGES);
    expect(outcome).toEqual(fromTransportFailure(UNREACHABLE));
  });
});
