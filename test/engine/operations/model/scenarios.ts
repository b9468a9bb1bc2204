// Handwritten histories that random histories seldom contain.

import type { Event, History, HostIndex, Setup } from './history.ts';
import { DEFAULT_SETUP } from './history.ts';

const [SECOND, MINUTE] = [1000, 60_000];

const scenario = (events: readonly Event[], setup: Partial<Setup> = {}): History => ({
  seed: 0,
  setup: { ...DEFAULT_SETUP, ...setup },
  events,
});

/** The reboot command does not reach the host. */
const CUT_REBOOT: Event = {
  atMs: 0,
  action: { type: 'add fault', host: 0, fault: { kind: 'cut', tookEffect: false, on: /check_deadline/ } },
};
const CLEAR_FAULTS = { type: 'clear faults', host: 0 } as const;
const REPLAY = { type: 'replay reboot', host: 0 } as const;

/** A delayed command of a frozen server. Only the guard on the host can stop it. */
export const LATE_REBOOTS: Readonly<Record<string, History>> = {
  'after the host is done': scenario([{ atMs: 100_000, action: REPLAY }]),
  'after the reboot was cancelled': scenario([
    CUT_REBOOT,
    { atMs: 5000, action: { type: 'cancel' } },
    { atMs: 8000, action: CLEAR_FAULTS },
    { atMs: 10_000, action: REPLAY },
  ]),
  'after the reboot was cancelled on a read-only /run': scenario([
    CUT_REBOOT,
    { atMs: 3000, action: { type: 'add fault', host: 0, fault: { kind: 'run_unwritable' } } },
    { atMs: 5000, action: { type: 'cancel' } },
    { atMs: 8000, action: CLEAR_FAULTS },
    { atMs: 10_000, action: REPLAY },
  ]),
  'after the host has failed': scenario(
    [
      CUT_REBOOT,
      { atMs: 3000, action: { type: 'add fault', host: 0, fault: { kind: 'unreachable' } } },
      { atMs: 150_000, action: CLEAR_FAULTS },
      { atMs: 155_000, action: REPLAY },
    ],
    { request: { ...DEFAULT_SETUP.request, policy: { timeouts: { rebootS: 20 } } } },
  ),
};

/** A pod cannot be evicted. */
export const REFUSED_DRAIN = scenario([], {
  manager: 'simulated',
  pods: [{ host: 0, pod: { name: 'torn', evictionError: 'two disruption budgets' } }],
});

const hosts = (count: number): Partial<Setup> => ({ members: Array.from({ length: count }, () => 'debian') });

/** 30% of five hosts is one host. */
export const PERCENTAGE = scenario([], {
  ...hosts(5),
  request: { ...DEFAULT_SETUP.request, policy: { maxUnavailable: '30%' } },
});

/**
 * The first host comes back and fails its check. The other hosts stay unchanged, although all hosts may fail.
 */
export const BAD_VERSION = scenario(
  [
    { atMs: 0, action: { type: 'add fault', host: 0, fault: { kind: 'exit', exitCode: 1, on: /^true$/ } } },
    { atMs: 400_000, action: CLEAR_FAULTS },
  ],
  {
    ...hosts(3),
    request: {
      ...DEFAULT_SETUP.request,
      policy: { maxFailures: '100%', check: ['true'], timeouts: { readyS: 100 } },
    },
  },
);

const request = (kind: Setup['request']['kind'], policy: Setup['request']['policy'] = {}): Pick<Setup, 'request'> => ({
  request: { kind, version: kind === 'deploy' ? '44.20260301.1' : '', policy },
});

/** Found by random histories and fixed. */
export const REGRESSIONS: Readonly<Record<string, History>> = {
  'a host that reboots unexpectedly drops the staged image and is upgraded again': scenario(
    [
      { atMs: 5000, action: { type: 'power', host: 1, isOn: false } },
      { atMs: 6000, action: { type: 'power', host: 1, isOn: true } },
    ],
    { members: ['coreos', 'coreos'], ...request('upgrade') },
  ),
  'a host that was left cordoned is uncordoned when a retry finds the version in place': scenario(
    [
      { atMs: 0, action: { type: 'add fault', host: 0, fault: { kind: 'reboot_late', byMs: 40_000 } } },
      { atMs: 100_000, action: { type: 'retry', hosts: 'failed' } },
    ],
    { members: ['coreos'], ...request('deploy', { timeouts: { rebootS: 30 } }) },
  ),
  'a host that left after the operation failed is not continued by a retry': scenario(
    [
      { atMs: 0, action: { type: 'add fault', host: 0, fault: { kind: 'unreachable' } } },
      { atMs: 60_000, action: { type: 'leave', host: 1 } },
      { atMs: 61_000, action: CLEAR_FAULTS },
      { atMs: 62_000, action: { type: 'retry', hosts: 'failed' } },
    ],
    request('restart', { stageParallel: 1, timeouts: { readyS: 11 } }),
  ),
  'an operation waits for a host whose bootstrap waits for its container manager': scenario([
    { atMs: 0, action: { type: 'inject', fault: 'fail_manager' } },
    { atMs: 2000, action: { type: 'bootstrap', host: 0 } },
    { atMs: 60_000, action: { type: 'revert', fault: 'fail_manager' } },
  ]),
};

const losePower = (indexes: readonly HostIndex[], atMs: number): readonly Event[] =>
  indexes.map(host => ({ atMs, action: { type: 'power', host, isOn: false } }));

const returnPower = (indexes: readonly HostIndex[], atMs: number): readonly Event[] =>
  indexes.map(host => ({ atMs, action: { type: 'power', host, isOn: true } }));

/** The server has not detected the outage when the operation starts. */
export const OUTAGE_BEFORE_REQUEST = scenario([...losePower([1, 4], -SECOND), ...returnPower([1, 4], 20 * MINUTE)], {
  ...hosts(6),
  manager: 'none',
  ...request('restart', { maxUnavailable: 1 }),
});

/** The first host goes down about 2 s after the request and boots for 20 s. */
export const OUTAGE_WHILE_FIRST_REBOOTS = scenario(
  [...losePower([3, 4, 5, 6, 7, 8], 5 * SECOND), ...returnPower([3, 4, 5, 6, 7, 8], 30 * MINUTE)],
  { ...hosts(9), manager: 'none', ...request('restart', { maxUnavailable: 1 }) },
);

/** The host boots every 50 s and must stay healthy for 60 s within 120 s. */
export const REBOOT_LOOP = scenario(
  [
    { atMs: 0, action: { type: 'add fault', host: 0, fault: { kind: 'reboot_loop', everyMs: 45 * SECOND } } },
    { atMs: 30 * MINUTE, action: CLEAR_FAULTS },
  ],
  { bootMs: 5000, manager: 'none', ...request('restart', { minHealthyS: 60, timeouts: { readyS: 120 } }) },
);

/** The only failed host leaves the cluster, and then the failed operation is retried. */
export const RETRY_AFTER_FAILED_HOST_LEFT = scenario(
  [
    { atMs: 0, action: { type: 'add fault', host: 0, fault: { kind: 'unreachable' } } },
    { atMs: 5 * MINUTE, action: { type: 'leave', host: 'first failed' } },
    { atMs: 5 * MINUTE + SECOND, action: { type: 'retry', hosts: 'failed' } },
    { atMs: 15 * MINUTE, action: CLEAR_FAULTS },
  ],
  { ...hosts(2), manager: 'none', ...request('restart', { timeouts: { readyS: 30 } }) },
);

/** One of two servers loses the network to all hosts. The last event is after the end of the operation. */
export const ONE_SERVER_PARTITIONED = scenario(
  [
    { atMs: 3 * SECOND, action: { type: 'inject', fault: 'cut_hosts' } },
    { atMs: 20 * MINUTE, action: { type: 'revert', fault: 'cut_hosts' } },
  ],
  { ...hosts(5), manager: 'none', servers: 2, ...request('restart', { maxUnavailable: 2 }) },
);

const cutOff = (indexes: readonly HostIndex[], fromMs: number, untilMs: number): readonly Event[] => [
  ...indexes.map(
    (host): Event => ({
      atMs: fromMs,
      action: { type: 'add fault', host, fault: { kind: 'unreachable' } },
    }),
  ),
  ...indexes.map((host): Event => ({ atMs: untilMs, action: { type: 'clear faults', host } })),
];

/** Six of nine hosts are unresponsive for 30 minutes, starting before the second host starts. */
export const SIX_OF_NINE_SILENT = scenario(cutOff([3, 4, 5, 6, 7, 8], 5 * SECOND, 30 * MINUTE), {
  ...hosts(9),
  manager: 'none',
  ...request('restart', { maxUnavailable: 1, timeouts: { readyS: 300 } }),
});

/** All hosts are unresponsive for eight minutes. */
export const ALL_OF_THREE_SILENT = scenario(cutOff([0, 1, 2], 30 * SECOND, 8.5 * MINUTE), {
  ...hosts(3),
  manager: 'none',
  ...request('restart', { maxUnavailable: 1, timeouts: { rebootS: 120, readyS: 120 } }),
});
