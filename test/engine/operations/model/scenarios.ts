// Histories that are written by hand: what seldom comes about by chance.

import type { Event, History, Setup } from './history.ts';
import { PLAIN } from './plain-setup.ts';

const scenario = (events: readonly Event[], setup: Partial<Setup> = {}): History => ({
  seed: 0,
  setup: { ...PLAIN, ...setup },
  events,
});

/** The command that reboots does not get through. */
const IN_VAIN: Event = {
  atMs: 0,
  deed: { do: 'suffer', host: 0, fault: { kind: 'cut', tookEffect: false, on: /check_deadline/ } },
};
const RECOVERS = { do: 'recover', host: 0 } as const;
const LATE = { do: 'late reboot', host: 0 } as const;

/** What a frozen server had sent arrives after all. Only the guards on the host are there to stop it. */
export const LATE_REBOOTS: Readonly<Record<string, History>> = {
  'when the host is done': scenario([{ atMs: 100_000, deed: LATE }]),
  'when the host was called off': scenario([
    IN_VAIN,
    { atMs: 5000, deed: { do: 'cancel' } },
    { atMs: 8000, deed: RECOVERS },
    { atMs: 10_000, deed: LATE },
  ]),
  'when the host was given up': scenario(
    [
      IN_VAIN,
      { atMs: 3000, deed: { do: 'suffer', host: 0, fault: { kind: 'unreachable' } } },
      { atMs: 150_000, deed: RECOVERS },
      { atMs: 155_000, deed: LATE },
    ],
    { asked: { ...PLAIN.asked, wish: { timeouts: { rebootS: 20 } } } },
  ),
};

/** What runs on a node does not let go of it. */
export const REFUSED_DRAIN = scenario([], {
  manager: 'simulated',
  pods: [{ host: 0, pod: { name: 'torn', evictionError: 'two disruption budgets' } }],
});

/** A third of five hosts is one. */
export const PART_OF_HOSTS = scenario([], {
  members: ['debian', 'debian', 'debian', 'debian', 'debian'],
  asked: { ...PLAIN.asked, wish: { maxUnavailable: '30%' } },
});

/** What was deployed is bad: the first host comes back, and is not well. However many may fail, the others are spared. */
export const BAD_VERSION = scenario(
  [
    { atMs: 0, deed: { do: 'suffer', host: 0, fault: { kind: 'exit', exitCode: 1, on: /^true$/ } } },
    { atMs: 400_000, deed: RECOVERS },
  ],
  {
    members: ['debian', 'debian', 'debian'],
    asked: {
      ...PLAIN.asked,
      wish: { maxFailures: '100%', check: ['true'], timeouts: { readyS: 100 } },
    },
  },
);

const asking = (kind: Setup['asked']['kind'], wish: Setup['asked']['wish'] = {}) => ({
  asked: { kind, version: kind === 'deploy' ? '44.20260301.1' : '', wish },
});

/** What has gone wrong before. */
export const ONCE_WRONG: Readonly<Record<string, History>> = {
  'a host that boots by itself drops what was staged, and is not upgraded by that': scenario(
    [
      { atMs: 5000, deed: { do: 'power', host: 1, isOn: false } },
      { atMs: 6000, deed: { do: 'power', host: 1, isOn: true } },
    ],
    { members: ['coreos', 'coreos'], ...asking('upgrade') },
  ),
  'a host that was left cordoned is let go of when it turns out to be there': scenario(
    [
      { atMs: 0, deed: { do: 'suffer', host: 0, fault: { kind: 'reboot_late', byMs: 40_000 } } },
      { atMs: 100_000, deed: { do: 'retry', hosts: 'failed' } },
    ],
    { members: ['coreos'], ...asking('deploy', { timeouts: { rebootS: 30 } }) },
  ),
  'a host that left when all was over is not gone on with': scenario(
    [
      { atMs: 0, deed: { do: 'suffer', host: 0, fault: { kind: 'unreachable' } } },
      { atMs: 60_000, deed: { do: 'leave', host: 1 } },
      { atMs: 61_000, deed: RECOVERS },
      { atMs: 62_000, deed: { do: 'retry', hosts: 'failed' } },
    ],
    asking('restart', { stageParallel: 1, timeouts: { readyS: 10 } }),
  ),
  'a host whose bootstrap waits for its container manager is waited for': scenario([
    { atMs: 0, deed: { do: 'break manager' } },
    { atMs: 2000, deed: { do: 'bootstrap', host: 0 } },
    { atMs: 60_000, deed: { do: 'mend manager' } },
  ]),
};
