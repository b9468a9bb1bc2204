import { describe, expect, test } from 'vitest';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import { done, failed, fromTransportFailure, noop, retry, retryWithNewJobs } from '../outcomes.ts';
import { stage } from './stage.ts';
import { stageTask, stepFixture, UNREACHABLE } from './step-fixtures.ts';

type Fixture = Parameters<typeof stepFixture>;

const [BOOTED, TARGET] = [
  { version: '43', checksum: 'c43', image: '' },
  { version: '44', checksum: 'c44', image: '' },
];
const ON_IMAGES = { host: { osDriver: 'images' } } as const;

async function stageOn(task: ReturnType<typeof stageTask>, replies: Fixture[1], options?: Fixture[2]) {
  const { context, commands, output } = stepFixture(task, replies, options);
  return { outcome: await stage(task).run(context), ran: commands, output };
}

describe('staging an upgrade', () => {
  const upgrade = (input: PolicyInput, replies: Fixture[1], options?: Fixture[2]) =>
    stageOn(stageTask('upgrade', input), replies, options);
  const FETCHED = { fetch: 'got it\n', check: '' };

  test('downloads as a job, and tells what was said', async () => {
    const { outcome, ran, output } = await upgrade({}, { ...FETCHED, pending: 'true' });
    expect(outcome).toEqual(done());
    expect(ran).toEqual(['# fetch', '# check', '# pending']);
    expect(output.join('')).toBe('got it\n');
  });

  test.each<[string, PolicyInput, Fixture[1], ReturnType<typeof noop>]>([
    ['something to do', {}, { pending: 'true' }, done()],
    ['nothing to do, nor a reboot', {}, { pending: 'false', 'reboot-need': 'false' }, noop()],
    ['nothing to do but a reboot', {}, { pending: 'false', 'reboot-need': 'true' }, done()],
    ['nothing to do, and a reboot however', { reboot: 'always' }, { pending: 'false' }, done()],
    ['nothing to do, and never a reboot', { reboot: 'never' }, { pending: 'false' }, noop()],
    [
      'an answer that makes no sense',
      {},
      { pending: '' },
      retry('unexpected_output: cannot parse the list of pending upgrades'),
    ],
    ['no answer', {}, { pending: UNREACHABLE }, fromTransportFailure(UNREACHABLE)],
    [
      'no sense in whether it needs a reboot',
      {},
      { pending: 'false', 'reboot-need': '' },
      retry('unexpected_output: cannot parse the result of the reboot check'),
    ],
    [
      'no answer whether it needs a reboot',
      {},
      { pending: 'false', 'reboot-need': UNREACHABLE },
      fromTransportFailure(UNREACHABLE),
    ],
  ])('finds %s', async (_what, input, replies, expected) => {
    expect((await upgrade(input, { ...FETCHED, ...replies })).outcome).toEqual(expected);
  });

  test('of an image system remembers what is staged', async () => {
    const deployments = JSON.stringify({ booted: BOOTED, staged: TARGET });
    const { outcome } = await upgrade({}, { ...FETCHED, pending: 'true', deployments }, ON_IMAGES);
    expect(outcome).toEqual(done({ ...TARGET }));
  });

  test('of an image system that cannot be asked what is staged is tried again', async () => {
    const replies = { ...FETCHED, pending: 'true', deployments: UNREACHABLE };
    expect((await upgrade({}, replies, ON_IMAGES)).outcome).toEqual(fromTransportFailure(UNREACHABLE));
  });
});

describe('a command that does not succeed', () => {
  const problem = 'command_failed: fetch exited with 100: no mirror';
  const task = stageTask('upgrade');

  test.each([
    ['is begun anew', 0, retryWithNewJobs(problem)],
    ['is begun anew once more', 1, retryWithNewJobs(problem)],
    ['is given up in the third round', 2, failed(problem)],
  ])('%s', async (_what, jobRound, expected) => {
    const { outcome, ran } = await stageOn(task, { fetch: [100, 'no mirror\n'] }, { state: { jobRound } });
    expect(outcome).toEqual(expected);
    expect(ran).toEqual(['# fetch']);
  });

  test('since the host is gone is gone on with, in whatever round', async () => {
    const { outcome } = await stageOn(task, { fetch: UNREACHABLE }, { state: { jobRound: 7 } });
    expect(outcome).toEqual(fromTransportFailure(UNREACHABLE));
  });

  test('since no driver knows the system is given up', async () => {
    const { outcome } = await stageOn(task, {}, { host: { osDriver: '' } });
    expect(outcome).toMatchObject({ kind: 'failed', problem: expect.stringMatching(/^unsupported_os/) });
  });
});

describe('staging a deployment', () => {
  const REFERENCE = 'example.org/os:stable';
  const deploy = (deployments: unknown, version = '44') =>
    stageOn(
      { ...stageTask('deploy'), version },
      { pull: '', deployments: deployments === undefined ? '' : JSON.stringify(deployments) },
      ON_IMAGES,
    );

  test('pulls it, and remembers what is staged by its checksum', async () => {
    const { outcome, ran } = await deploy({ booted: BOOTED, staged: TARGET });
    expect(outcome).toEqual(done({ ...TARGET }));
    expect(ran).toEqual(['# pull 44', '# deployments']);
  });

  test.each([
    ['that is booted already is settled', { booted: TARGET }, '44', noop()],
    [
      'that follows a reference, and is there, is settled',
      { booted: { ...BOOTED, image: REFERENCE } },
      REFERENCE,
      noop(),
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
      noop(),
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
      retry('unexpected_output: cannot parse the versions of the host'),
    ],
    [
      'without a booted one is asked for again',
      { staged: TARGET },
      '44',
      retry('unexpected_output: cannot parse the versions of the host'),
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
    const { outcome } = await stageOn(stageTask('deploy'), { pull: '', deployments: UNREACHABLE }, ON_IMAGES);
    expect(outcome).toEqual(fromTransportFailure(UNREACHABLE));
  });
});
