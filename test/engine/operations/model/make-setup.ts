import type { Amount, PolicyWish } from '../../../../src/domain/rolling/policy.ts';
import type { OperationKind } from '../../../../src/domain/vocabulary.ts';
import { WEEKDAYS } from '../../../../src/domain/vocabulary.ts';
import type { PodSpec } from '../../../harness/simulation/simulated-pods.ts';
import type { Asked, Setup } from './history.ts';
import type { Random } from './random.ts';

const PACKAGE_SYSTEMS = ['debian', 'fedora'];
const IMAGE_SYSTEMS = ['coreos', 'atomic'];
const VERSION = '44.20260301.1';

function amount(random: Random, most: number): Amount {
  return random.isOnce(2) ? random.between(1, most) : `${random.pick([1, 10, 25, 34, 50, 67, 100])}%`;
}

/** Time begins at midnight; what is not done when it closes waits for the next day. */
const windowOf = (random: Random): PolicyWish['window'] => ({
  days: [...WEEKDAYS],
  start: random.pick(['00:00', '00:03']),
  end: random.pick(['00:06', '00:20', '23:59']),
  zone: 'UTC',
});

function wishOf(random: Random, kind: OperationKind): PolicyWish {
  return {
    maxUnavailable: amount(random, 4),
    canary: random.pickBy([
      [4, 0],
      [1, 1],
      [1, 2],
    ]),
    ramp: random.isOnce(4),
    maxFailures: random.pickBy<Amount>([
      [2, 0],
      [2, 1],
      [1, 3],
      [1, '34%'],
      [2, '100%'],
    ]),
    onFailure: random.isOnce(2) ? 'pause' : 'fail',
    stageParallel: random.pick([1, 2, 20]),
    drain: random.pickBy<PolicyWish['drain']>([
      [1, undefined],
      [1, false],
      [3, { timeoutS: random.between(5, 40), onTimeout: random.isOnce(3) ? 'force' : 'fail' }],
    ]),
    reboot:
      kind === 'upgrade'
        ? random.pickBy<PolicyWish['reboot']>([
            [2, undefined],
            [2, 'always'],
            [1, 'never'],
          ])
        : random.pickBy<PolicyWish['reboot']>([
            [5, undefined],
            [1, 'if_needed'],
          ]),
    check: random.isOnce(2) ? ['true'] : null,
    timeouts: {
      stageS: random.between(20, 90),
      applyS: random.between(20, 90),
      rebootS: random.between(30, 120),
      readyS: random.between(10, 60),
    },
    minHealthyS: random.pick([0, 3, 10]),
    window: random.isOnce(8) ? windowOf(random) : null,
  };
}

export function makeAsked(random: Random): Asked {
  const kind = random.pickBy<OperationKind>([
    [3, 'restart'],
    [3, 'upgrade'],
    [2, 'deploy'],
  ]);
  return { kind, version: kind === 'deploy' ? VERSION : '', wish: wishOf(random, kind) };
}

export const makePod = (random: Random): PodSpec =>
  random.pickBy<PodSpec>([
    [4, { name: 'web', goneAfterMs: random.between(0, 20_000) }],
    [2, { name: 'guarded', refusesForMs: random.between(1000, 60_000) }],
    [1, { name: 'daemon', isDaemon: true }],
    [1, { name: 'alone', hasController: false }],
    [1, { name: 'torn', evictionError: 'two disruption budgets' }],
  ]);

export function makeSetup(random: Random): Setup {
  const asked = makeAsked(random);
  // A deployment goes no further than its look at a host with packages.
  const systems =
    asked.kind === 'deploy' && !random.isOnce(6) ? IMAGE_SYSTEMS : [...PACKAGE_SYSTEMS, ...IMAGE_SYSTEMS];
  const count = random.pick([3, 3, 3, 4, 4, 4, 5, 6, 8]);
  const members = Array.from({ length: count }, () => random.pick(systems));
  const manager = random.pickBy<Setup['manager']>([
    [2, 'none'],
    [3, 'trivial'],
    [5, 'simulated'],
  ]);
  const isSimulated = manager === 'simulated';
  return {
    members,
    others: Array.from({ length: random.between(0, 2) }, () => random.pick(systems)),
    manager,
    foreign: manager === 'none' ? [] : random.some(count, 0.12),
    controlPlane: isSimulated && random.isOnce(3) ? random.some(count, 0.3) : [],
    bootDelays: isSimulated
      ? random.pick([
          { heardAfterMs: 0, readyAfterMs: 0 },
          { heardAfterMs: 8000, readyAfterMs: 5000 },
        ])
      : { heardAfterMs: 0, readyAfterMs: 0 },
    pods: isSimulated ? random.some(count, 0.5).map(host => ({ host, pod: makePod(random) })) : [],
    asked,
    servers: random.isOnce(3) ? 2 : 1,
    deaths: random.isOnce(3)
      ? Array.from({ length: random.between(1, 6) }, () => ({
          commit: random.between(1, 60),
          when: random.pick(['before', 'after'] as const),
        }))
      : [],
    lastWords: random.pick([[], ['retry'], ['retry', 'resume'], ['resume', 'retry'], ['skip', 'retry']]),
  };
}
