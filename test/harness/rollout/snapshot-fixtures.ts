// Builds snapshots from a list of hosts in words:
//
//     snapshotFixture(['verifying', '2 staged', 'down pending', 'other down'], { maxUnavailable: 2 })
//
// The first host is 127.0.0.1, the next 127.0.0.2, and so on; a leading number repeats a host. Words of a host:
// - a phase, or `staged` (prepared, waits for a slot), `holding` (failed, holds its slot), `unchanged` (done as is)
// - `down`, `maintenance`, `bootstrapping`: out of service; `unregistered`: responds, but not registered with its manager
// - `unconfirmed`: failed one check, not confirmed to be down; `unchecked`: in service without a recent response
// - `control`: control-plane node; `other`: not in the plan; `ignored`: by the operation; `left`: no longer a member
// - `delayed`: its preparation is delayed; `unresponsive`: unresponsive during its preparation
// - `awaits-clearance`: waits for clearance to reboot; `stale`: in flight without a recent response

import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import type { OperationHost } from '../../../src/domain/rollout/operation-host.ts';
import { OPEN_PHASES, phaseGroupOf } from '../../../src/domain/rollout/operation-host.ts';
import type { Outage } from '../../../src/domain/rollout/outage.ts';
import type { Policy } from '../../../src/domain/rollout/policy.ts';
import { resolvePolicy } from '../../../src/domain/rollout/policy.ts';
import type { Candidate, PendingReboot, RolloutSnapshot } from '../../../src/domain/rollout/snapshot.ts';
import { byRolloutOrder } from '../../../src/domain/rollout/snapshot.ts';
import type { HostPhase, OutageReason, PhaseGroup } from '../../../src/domain/vocabulary.ts';
import { HOST_PHASES } from '../../../src/domain/vocabulary.ts';

export const NOW_MS = 1_000_000;

const builtIn = resolvePolicy('restart', { input: {}, defaults: {}, hasManager: true });
if (builtIn instanceof AppError) throw new Error('the default policy is invalid');
export const POLICY: Policy = builtIn;

const ALIASES: Readonly<Record<string, HostPhase>> = { staged: 'staging', holding: 'failed', unchanged: 'done' };

interface FixtureHost extends Candidate {
  readonly words: readonly string[];
  /** `undefined`: not in the plan. */
  readonly phase: HostPhase | undefined;
  readonly isMember: boolean;
}

function parseHost(words: readonly string[], host: Address, position: number): FixtureHost {
  const phaseOf = (word: string) => ALIASES[word] ?? HOST_PHASES.find(phase => phase === word);
  const has = (...any: readonly string[]) => any.some(word => words.includes(word));
  return {
    host,
    words,
    position,
    phase: words.map(phaseOf).find(phase => phase !== undefined),
    isMember: !has('left'),
    isDown: !has('left') && has('down', 'maintenance', 'bootstrapping'),
    isUnresponsive: !has('left') && has('unconfirmed'),
    isControlPlane: has('control'),
  };
}

function parseHosts(texts: readonly string[]): readonly FixtureHost[] {
  const all = texts.flatMap(text => {
    const [first = '', ...rest] = text.split(' ');
    const count = Number(first);
    return Number.isNaN(count) ? [[first, ...rest]] : Array.from({ length: count }, () => rest);
  });
  return all.map((words, index) => parseHost(words, `127.0.0.${index + 1}` as Address, index));
}

const REASONS: Readonly<Record<string, OutageReason>> = {
  maintenance: 'maintenance',
  bootstrapping: 'bootstrapping',
  unregistered: 'disassociated',
};

const outageOf = ({ host, words, phase }: FixtureHost): Outage => ({
  host,
  reason: words.map(word => REASONS[word]).find(reason => reason !== undefined) ?? 'unreachable',
  detail: '',
  since: null,
  isConfirmed: !words.includes('unconfirmed'),
  isPlanned: phase !== undefined && OPEN_PHASES.includes(phase),
});

function pendingReboots({ host, position, phase, words }: FixtureHost): readonly PendingReboot[] {
  const awaitsRebootClearance = words.includes('awaits-clearance');
  const isRebooted = phase === 'rebooting' || phase === 'verifying' || phase === 'uncordoning';
  return isRebooted && !awaitsRebootClearance
    ? []
    : [{ host, position, awaitsRebootClearance, hasResponded: !words.includes('stale') }];
}

const inRolloutOrder = (hosts: readonly FixtureHost[]): Candidate[] =>
  hosts.toSorted(byRolloutOrder).map(({ words: _1, phase: _2, isMember: _3, ...candidate }) => candidate);

export type SnapshotOverrides = Partial<
  Pick<RolloutSnapshot, 'isGloballyPaused' | 'isPartitioned' | 'window'> & Omit<RolloutSnapshot['operation'], 'policy'>
>;

export function snapshotFixture(
  texts: readonly string[],
  policy: Partial<Policy> = {},
  {
    isGloballyPaused = false,
    isPartitioned = false,
    window = { isOpen: true, changesAtMs: null },
    ...operation
  }: SnapshotOverrides = {},
): RolloutSnapshot {
  const hosts = parseHosts(texts);
  const planned = hosts.filter(({ phase }) => phase !== undefined);
  const withWord = (word: string) => planned.filter(({ words }) => words.includes(word));
  const inGroup = (group: PhaseGroup) => planned.filter(({ phase }) => phase && phaseGroupOf(phase) === group);
  const hasOutage = ({ isDown, isUnresponsive, words }: FixtureHost) =>
    (isDown || isUnresponsive || words.includes('unregistered')) && !words.includes('ignored');
  const addresses = (some: readonly FixtureHost[]) => some.map(({ host }) => host);
  const isEligible = ({ words }: FixtureHost) => !words.includes('maintenance') && !words.includes('bootstrapping');
  const [staged, pending] = [withWord('staged'), inGroup('waiting')];
  const unready = inGroup('preparing').filter(host => !staged.includes(host));
  return {
    operation: {
      state: 'running',
      pause: null,
      problem: '',
      acknowledgedFailures: 0,
      acceptedFailures: 0,
      blockedSinceMs: null,
      assessment: 'done',
      hostCount: planned.length,
      ...operation,
      policy: { ...POLICY, ...policy },
    },
    nowMs: NOW_MS,
    isGloballyPaused,
    isPartitioned,
    window,
    memberCount: hosts.filter(({ isMember }) => isMember).length,
    outages: hosts.filter(hasOutage).map(outageOf),
    unregistered: addresses(hosts.filter(host => hasOutage(host) && !host.isDown && !host.isUnresponsive)),
    unchecked: addresses(hosts.filter(({ words }) => words.includes('unchecked'))),
    freshnessMs: 15_000,
    respondedSinceMs: NOW_MS - 15_000,
    freshUntilMs: NOW_MS + 3000,
    inFlight: addresses(inGroup('in_flight')),
    pendingReboots: inGroup('in_flight').flatMap(pendingReboots),
    holdingSlot: addresses(withWord('holding')),
    recovered: [],
    brokenControlPlane: addresses(
      planned.filter(host => host.isControlPlane && (host.words.includes('holding') || hasOutage(host))),
    ),
    preparingCount: unready.length,
    unresponsiveCount: unready.filter(({ words }) => words.includes('unresponsive')).length,
    firstPreparingPosition: unready.find(({ words }) => !words.includes('delayed'))?.position ?? null,
    staged: inRolloutOrder(staged.filter(isEligible)),
    pending: inRolloutOrder(pending.filter(isEligible)),
    ineligible: addresses([...staged, ...pending].filter(host => !isEligible(host))),
    verifiedCount: planned.filter(({ phase, words }) => phase === 'done' && !words.includes('unchanged')).length,
    failed: addresses(planned.filter(({ phase }) => phase === 'failed')),
    areWorkersLeft: planned.some(
      ({ phase, isControlPlane }) => phase && phaseGroupOf(phase) !== 'ended' && !isControlPlane,
    ),
  };
}

export const PENDING: OperationHost = {
  host: '127.0.0.1' as Address,
  enrolment: 'e',
  position: 0,
  isControlPlane: false,
  phase: 'pending',
  isStaged: false,
  isUnreachable: false,
  abortReason: null,
  holdsSlot: false,
  isCordoned: false,
  attempt: 1,
  skipReason: null,
  awaitsRebootClearance: false,
  clearedUntilMs: null,
  wasNoop: false,
  problem: '',
  stageResult: {},
  phases: [],
  startedAt: null,
  finishedAt: null,
};
