// Histories that are written by hand, because random histories seldom contain them.

import { DEFAULT_SETUP } from './default-setup.ts';
import type { Event, History, Setup } from './history.ts';

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

/** A command of a frozen server arrives late. Only the guard on the host can stop it. */
export const LATE_REBOOTS: Readonly<Record<string, History>> = {
  'after the host is done': scenario([{ atMs: 100_000, action: REPLAY }]),
  'after the reboot was called off': scenario([
    CUT_REBOOT,
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

/** The first host comes back and fails its check. The other hosts are not touched, although all hosts may fail. */
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

const request = (
  kind: Setup['request']['kind'],
  policy: Setup['request']['policy'] = {},
): Pick<Setup, 'request'> => ({
  request: { kind, version: kind === 'deploy' ? '44.20260301.1' : '', policy },
});

/** Found by random histories, and fixed. */
export const REGRESSIONS: Readonly<Record<string, History>> = {
  'a host that reboots by itself drops the staged image and is upgraded again': scenario(
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
    { atMs: 0, action: { type: 'break manager' } },
    { atMs: 2000, action: { type: 'bootstrap', host: 0 } },
    { atMs: 60_000, action: { type: 'repair manager' } },
  ]),
};
