// Snapshots for tests of the rule, from a list of hosts in words:
//
//     snapshotOf(['verifying', '2 staged', 'down pending', 'other down'], { maxUnavailable: 2 })
//
// The first host is 127.0.0.1, the next 127.0.0.2, and so on; a number makes so many of them. A host is in a phase, or `staged`, which is
// prepared; `keeping` has failed and keeps its slot; `there` is done, since there was nothing to do. It is `down`, in `maintenance` or
// `bootstrapping`; it is of the `control` plane; it is an `other` member, which is not in the plan; it is `ignored` by a person; it is `gone`;
// `delayed`, when something holds it up; `silent`, when it does not answer meanwhile; `detached`, when it answers and is not registered with its container manager.
// A host that is `suspected` has failed one check, and is not confirmed to be down; one that is `unchecked` counts as in service, and has not
// answered for a while; one that is `asking` waits for permission to reboot; one that is `quiet` in flight has not answered for a while.

import type { Address } from '../addresses/address.ts';
import type { HostPart, HostPhase, OutageReason } from '../vocabulary.ts';
import { HOST_PHASES } from '../vocabulary.ts';
import { NOT_ENDED_PHASES, partOf } from './host-phase.ts';
import type { Outage } from './outage.ts';
import type { Policy } from './policy.ts';
import { resolvePolicy } from './policy.ts';
import type { BeforeReboot, Candidate, Snapshot } from './snapshot.ts';
import { byTurn } from './snapshot.ts';

export const NOW_MS = 1_000_000;

const builtIn = resolvePolicy('restart', { wish: {}, defaults: {}, hasManager: true });
if (Array.isArray(builtIn)) throw new Error('what is built in is a policy');
export const POLICY: Policy = builtIn;

const ALIASES: Readonly<Record<string, HostPhase>> = {
  staged: 'staging',
  keeping: 'failed',
  there: 'done',
};

interface ToldHost extends Candidate {
  readonly words: readonly string[];
  /** `undefined`: it is not in the plan. */
  readonly phase: HostPhase | undefined;
  readonly isMember: boolean;
}

function hostOf(words: readonly string[], host: Address, position: number): ToldHost {
  const phaseOf = (word: string) => ALIASES[word] ?? HOST_PHASES.find(phase => phase === word);
  const has = (...any: readonly string[]) => any.some(word => words.includes(word));
  return {
    host,
    words,
    position,
    phase: words.map(phaseOf).find(phase => phase !== undefined),
    isMember: !has('gone'),
    isDown: !has('gone') && has('down', 'maintenance', 'bootstrapping'),
    isSilent: !has('gone') && has('suspected'),
    isControlPlane: has('control'),
  };
}

function hostsOf(texts: readonly string[]): readonly ToldHost[] {
  const all = texts.flatMap(text => {
    const [first = '', ...rest] = text.split(' ');
    const count = Number(first);
    return Number.isNaN(count) ? [[first, ...rest]] : Array.from({ length: count }, () => rest);
  });
  return all.map((words, index) => hostOf(words, `127.0.0.${index + 1}` as Address, index));
}

const REASONS: Readonly<Record<string, OutageReason>> = {
  maintenance: 'maintenance',
  bootstrapping: 'bootstrapping',
  detached: 'disassociated',
};

const outageOf = ({ host, words, phase }: ToldHost): Outage => ({
  host,
  reason: words.map(word => REASONS[word]).find(reason => reason !== undefined) ?? 'unreachable',
  ...{ detail: '', since: null },
  isConfirmed: !words.includes('suspected'),
  isPlanned: phase !== undefined && NOT_ENDED_PHASES.includes(phase),
});

function beforeReboot({ host, position, phase, words }: ToldHost): readonly BeforeReboot[] {
  const isAsking = words.includes('asking');
  const isRebooted = phase === 'rebooting' || phase === 'verifying' || phase === 'uncordoning';
  return isRebooted && !isAsking ? [] : [{ host, position, isAsking, hasAnswered: !words.includes('quiet') }];
}

/** The order in which the store tells them. */
const inTurn = (hosts: readonly ToldHost[]): Candidate[] =>
  hosts.toSorted(byTurn).map(({ words: _1, phase: _2, isMember: _3, ...candidate }) => candidate);

/** What else there is to a snapshot. */
export type Circumstances = Partial<
  Pick<Snapshot, 'isHeld' | 'isPartitioned' | 'window'> & Omit<Snapshot['operation'], 'policy'>
>;

export function snapshotOf(
  texts: readonly string[],
  policy: Partial<Policy> = {},
  {
    isHeld = false,
    isPartitioned = false,
    window = { isOpen: true, changesAtMs: null },
    ...standing
  }: Circumstances = {},
): Snapshot {
  const hosts = hostsOf(texts);
  const planned = hosts.filter(({ phase }) => phase !== undefined);
  const having = (word: string) => planned.filter(({ words }) => words.includes(word));
  const inPart = (part: HostPart) => planned.filter(({ phase }) => phase && partOf(phase) === part);
  const isInTheWay = ({ isDown, isSilent, words }: ToldHost) =>
    (isDown || isSilent || words.includes('detached')) && !words.includes('ignored');
  const addresses = (some: readonly ToldHost[]) => some.map(({ host }) => host);
  const mayBeTouched = ({ words }: ToldHost) =>
    !words.includes('maintenance') && !words.includes('bootstrapping');
  const [staged, pending] = [having('staged'), inPart('waiting')];
  const unready = inPart('preparing').filter(host => !staged.includes(host));
  return {
    operation: {
      ...{ state: 'running', pause: null, problem: '', forgivenFailures: 0, waitingSinceMs: null },
      ...{ acceptedFailures: 0, assessment: 'done' },
      planned: planned.length,
      ...standing,
      policy: { ...POLICY, ...policy },
    },
    nowMs: NOW_MS,
    isHeld,
    isPartitioned,
    window,
    members: hosts.filter(({ isMember }) => isMember).length,
    down: hosts.filter(isInTheWay).map(outageOf),
    detached: addresses(hosts.filter(host => isInTheWay(host) && !host.isDown && !host.isSilent)),
    unchecked: addresses(hosts.filter(({ words }) => words.includes('unchecked'))),
    freshnessMs: 15_000,
    answeredSinceMs: NOW_MS - 15_000,
    freshUntilMs: NOW_MS + 3000,
    inFlight: addresses(inPart('in flight')),
    beforeReboot: inPart('in flight').flatMap(beforeReboot),
    keeping: addresses(having('keeping')),
    activeAgain: [],
    brokenControlPlane: addresses(
      planned.filter(host => host.isControlPlane && (host.words.includes('keeping') || isInTheWay(host))),
    ),
    preparing: unready.length,
    silent: unready.filter(({ words }) => words.includes('silent')).length,
    firstPreparing: unready.find(({ words }) => !words.includes('delayed'))?.position ?? null,
    staged: inTurn(staged.filter(mayBeTouched)),
    pending: inTurn(pending.filter(mayBeTouched)),
    untouchable: addresses([...staged, ...pending].filter(host => !mayBeTouched(host))),
    proved: planned.filter(({ phase, words }) => phase === 'done' && !words.includes('there')).length,
    failed: addresses(planned.filter(({ phase }) => phase === 'failed')),
    areWorkersLeft: planned.some(
      ({ phase, isControlPlane }) => phase && partOf(phase) !== 'ended' && !isControlPlane,
    ),
  };
}
