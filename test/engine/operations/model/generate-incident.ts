// Incidents of several actions: outages of several hosts, partitions, reboot loops, failed hosts that leave
// the cluster, excluded hosts.

import type { Random } from '../../../harness/random.ts';
import type { Action, Event, HostIndex, Setup } from './history.ts';

const [SECOND, MINUTE] = [1000, 60_000];

type Incident = (random: Random, setup: Setup) => readonly Event[];

/** Mostly shorter than a phase of an operation, sometimes long enough to count as an outage. */
const duration = (random: Random): number =>
  random.isOneIn(3) ? random.between(MINUTE, 10 * MINUTE) : random.between(10 * SECOND, MINUTE);

function shuffled(random: Random, count: number): HostIndex[] {
  const order = Array.from({ length: count }, (_, index) => ({ index, key: random.next() }));
  return order.toSorted((one, other) => one.key - other.key).map(({ index }) => index);
}

/**
 * Several hosts lose power or network at `atMs` and return together, one by one, or not before the end of the
 * history.
 */
function outage(random: Random, setup: Setup, atMs: number): readonly Event[] {
  const { length } = setup.members;
  const hosts = shuffled(random, length).slice(0, random.between(1, random.isOneIn(3) ? length : 2));
  const isPower = random.isOneIn(2);
  const begin = (host: HostIndex): Action =>
    isPower ? { type: 'power', host, isOn: false } : { type: 'add fault', host, fault: { kind: 'unreachable' } };
  const end = (host: HostIndex): Action =>
    isPower ? { type: 'power', host, isOn: true } : { type: 'clear faults', host };
  const returns = random.pick(['together', 'one by one', 'not']);
  const togetherMs = duration(random);
  return hosts.flatMap(host => {
    const afterMs = returns === 'together' ? togetherMs : duration(random);
    return [{ atMs, action: begin(host) }, ...(returns === 'not' ? [] : [{ atMs: atMs + afterMs, action: end(host) }])];
  });
}

const outageBefore: Incident = (random, setup) => outage(random, setup, -random.between(SECOND, 30 * SECOND));

const outageDuring: Incident = (random, setup) => outage(random, setup, random.between(0, 2 * MINUTE));

const unexpectedReboot: Incident = (random, setup) => {
  const host = random.between(0, setup.members.length - 1);
  const atMs = random.between(-20 * SECOND, 2 * MINUTE);
  return [
    { atMs, action: { type: 'power', host, isOn: false } },
    { atMs: atMs + random.between(0, 3 * SECOND), action: { type: 'power', host, isOn: true } },
  ];
};

/**
 * The loop is slightly faster than `min_healthy_s`, so the host is healthy most of the time but never stable.
 */
const rebootLoop: Incident = (random, setup) => {
  const { minHealthyS = 0 } = setup.request.policy;
  const maxMs = Math.max(5, minHealthyS) * SECOND;
  const everyMs = random.between(maxMs / 2, maxMs);
  const times = random.isOneIn(4) ? { times: random.between(1, 10) } : {};
  // The first host is in every canary and waits for no other host.
  const host = random.isOneIn(2) ? 0 : random.between(0, setup.members.length - 1);
  return [
    { atMs: 0, action: { type: 'add fault', host, fault: { kind: 'reboot_loop', everyMs, ...times } } },
    { atMs: random.between(5 * MINUTE, 20 * MINUTE), action: { type: 'clear faults', host } },
  ];
};

const partition: Incident = (random, setup) => {
  const atMs = random.between(-30 * SECOND, 2 * MINUTE);
  const servers = setup.servers > 1 && !random.isOneIn(3) ? {} : { servers: 'all' as const };
  return [
    { atMs, action: { type: 'inject', fault: 'cut_hosts', ...servers } },
    { atMs: atMs + duration(random), action: { type: 'revert', fault: 'cut_hosts' } },
  ];
};

const failedHostLeaves: Incident = random => {
  const atMs = random.between(MINUTE, 4 * MINUTE);
  return [
    { atMs, action: { type: 'leave', host: 'first failed' } },
    { atMs: atMs + random.between(SECOND, 30 * SECOND), action: { type: 'retry', hosts: 'failed' } },
  ];
};

/** Members are down before the request. An administrator excludes them after the operation has stopped. */
const blockedAndExcluded: Incident = (random, setup) => {
  const exclude = shuffled(random, setup.members.length).slice(0, random.between(1, 2));
  const atMs = -random.between(SECOND, 2 * MINUTE);
  return [
    ...exclude.map((host): Event => ({ atMs, action: { type: 'power', host, isOn: false } })),
    { atMs: random.between(30 * SECOND, 2 * MINUTE), action: { type: 'retry', hosts: 'failed', exclude } },
  ];
};

export function generateIncident(random: Random, setup: Setup): readonly Event[] {
  // A loop has the most effect when a host must be healthy for long.
  const isLoopLikely = (setup.request.policy.minHealthyS ?? 0) >= 15;
  const incident = random.pickBy<Incident>([
    [4, outageBefore],
    [4, outageDuring],
    [1, unexpectedReboot],
    [isLoopLikely ? 10 : 2, rebootLoop],
    [3, partition],
    [2, failedHostLeaves],
    [2, blockedAndExcluded],
  ]);
  return incident(random, setup);
}
