import type { HostAmount, PolicyInput } from '../../../../src/domain/rollout/policy.ts';
import type { OperationKind } from '../../../../src/domain/vocabulary.ts';
import { WEEKDAYS } from '../../../../src/domain/vocabulary.ts';
import { COMMIT_FAULTS } from '../../../harness/faults.ts';
import type { Random } from '../../../harness/random.ts';
import type { FaultAtCommit } from '../../../harness/simulation/server-control.ts';
import { COMMITS_OF_START } from '../../../harness/simulation/server-control.ts';
import type { PodSpec } from '../../../harness/simulation/simulated-node.ts';
import type { OperationRequest, Setup } from './history.ts';

const PACKAGE_SYSTEMS = ['debian', 'fedora'];
const IMAGE_SYSTEMS = ['coreos', 'atomic'];
const VERSION = '44.20260301.1';
const MIN_READY_S = 15;

const amount = (random: Random, max: number): HostAmount =>
  random.isOneIn(2) ? random.between(1, max) : `${random.pick([1, 10, 25, 34, 50, 67, 100])}%`;

/**
 * The simulated time starts at midnight. Hosts that are not done when the window closes wait for the next
 * day.
 */
const generateWindow = (random: Random): PolicyInput['window'] => ({
  days: [...WEEKDAYS],
  start: random.pick(['00:00', '00:03']),
  end: random.pick(['00:06', '00:20', '23:59']),
  zone: 'UTC',
});

const generateReboot = (random: Random, kind: OperationKind): PolicyInput['reboot'] =>
  kind === 'upgrade'
    ? random.pickBy<PolicyInput['reboot']>([
        [2, undefined],
        [2, 'always'],
        [1, 'never'],
      ])
    : random.pickBy<PolicyInput['reboot']>([
        [5, undefined],
        [1, 'if_needed'],
      ]);

/** `min_healthy_s` must be less than `timeouts.ready`. */
function generateReadiness(random: Random): { readyS: number; minHealthyS: number } {
  const readyS = random.between(MIN_READY_S, 60);
  const long = random.between(MIN_READY_S - 1, readyS - 1);
  return { readyS, minHealthyS: random.isOneIn(3) ? long : random.pick([0, 3, 10]) };
}

function generatePolicy(random: Random, kind: OperationKind): PolicyInput {
  const { readyS, minHealthyS } = generateReadiness(random);
  return {
    maxUnavailable: random.isOneIn(3) ? 1 : amount(random, 4),
    canary: random.pickBy([
      [4, 0],
      [1, 1],
      [1, 2],
    ]),
    ramp: random.isOneIn(4),
    unhealthy: random.isOneIn(4) ? 'exclude' : 'count',
    maxExcluded: random.pick<HostAmount>([1, 2, '50%']),
    wait: random.isOneIn(3),
    maxFailures: random.pickBy<HostAmount>([
      [2, 0],
      [2, 1],
      [1, 3],
      [1, '34%'],
      [2, '100%'],
    ]),
    onFailure: random.isOneIn(2) ? 'pause' : 'fail',
    stageParallel: random.pick([1, 2, 20]),
    drain: random.pickBy<PolicyInput['drain']>([
      [1, undefined],
      [1, false],
      [3, { timeoutS: random.between(5, 40), onTimeout: random.isOneIn(3) ? 'force' : 'fail' }],
    ]),
    reboot: generateReboot(random, kind),
    check: random.isOneIn(2) ? ['true'] : null,
    timeouts: {
      stageS: random.between(20, 90),
      applyS: random.between(20, 90),
      rebootS: random.between(30, 120),
      readyS,
    },
    minHealthyS,
    window: random.isOneIn(8) ? generateWindow(random) : null,
  };
}

export function generateRequest(random: Random): OperationRequest {
  const kind = random.pickBy<OperationKind>([
    [3, 'restart'],
    [3, 'upgrade'],
    [2, 'deploy'],
  ]);
  return { kind, version: kind === 'deploy' ? VERSION : '', policy: generatePolicy(random, kind) };
}

export const generatePod = (random: Random): PodSpec =>
  random.pickBy<PodSpec>([
    [4, { name: 'web', goneAfterMs: random.between(0, 20_000) }],
    [2, { name: 'guarded', blockedForMs: random.between(1000, 60_000) }],
    [1, { name: 'daemon', isDaemon: true }],
    [1, { name: 'alone', hasController: false }],
    [1, { name: 'torn', evictionError: 'two disruption budgets' }],
  ]);

function generateFaultAtCommit(random: Random): FaultAtCommit {
  const fault = random.pick(COMMIT_FAULTS);
  const first = fault === 'lose_response' ? COMMITS_OF_START + 1 : 1;
  return { commit: random.between(first, 60), fault };
}

export function generateSetup(random: Random): Setup {
  const request = generateRequest(random);
  // A deployment on a package-based host fails in preflight.
  const systems =
    request.kind === 'deploy' && !random.isOneIn(6) ? IMAGE_SYSTEMS : [...PACKAGE_SYSTEMS, ...IMAGE_SYSTEMS];
  const count = random.pick([3, 3, 3, 4, 4, 4, 5, 6, 8, 9]);
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
    cordoned: manager === 'none' ? [] : random.some(count, 0.12),
    controlPlane: isSimulated && random.isOneIn(3) ? random.some(count, 0.3) : [],
    bootMs: random.pick([20_000, 20_000, 5000, 5000, 45_000]),
    bootDelays: isSimulated
      ? random.pick([
          { reportedAfterMs: 0, readyAfterMs: 0 },
          { reportedAfterMs: 8000, readyAfterMs: 5000 },
        ])
      : { reportedAfterMs: 0, readyAfterMs: 0 },
    pods: isSimulated ? random.some(count, 0.5).map(host => ({ host, pod: generatePod(random) })) : [],
    request,
    servers: random.isOneIn(3) ? 2 : 1,
    faultsAtCommits: random.isOneIn(3)
      ? Array.from({ length: random.between(1, 6) }, () => generateFaultAtCommit(random))
      : [],
    finalRequests: random.pick([[], ['retry'], ['retry', 'resume'], ['resume', 'retry'], ['skip', 'retry']]),
  };
}
