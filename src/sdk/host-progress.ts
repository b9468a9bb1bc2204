// The progress of a host in an operation, from a report and later events. All functions are pure. Invariant:
// a host that an event does not change stays the same object, so that views render only changes.

import type { Static } from 'typebox';
import type { Event } from '../contract/event-payloads.ts';
import type { OperationReport } from '../contract/routes/operations.ts';
import type { OperationHostState, PhaseGroup, RecordedPhase } from '../domain/vocabulary.ts';
import { OPERATION_HOST_STATES, PHASE_GROUPS, RECORDED_PHASES } from '../domain/vocabulary.ts';
import { parseWireTime } from './format.ts';

type ReportedHost = Omit<Static<typeof OperationReport>['hosts'][number], 'output'>;

export interface PhaseStart {
  readonly phase: RecordedPhase;
  readonly attempt: number;
  readonly atMs: number;
}

export interface HostProgress {
  readonly address: string;
  /** Empty if unknown. */
  readonly hostname: string;
  readonly state: OperationHostState;
  readonly attempt: number;
  readonly position: number;
  /** Of all attempts, in chronological order. */
  readonly phases: readonly PhaseStart[];
  readonly sinceMs: number | undefined;
  /** The time from which this attempt uses a slot; `undefined` if it has not used one. */
  readonly inFlightSinceMs: number | undefined;
  /** Why the host failed, or what it waits for. */
  readonly problem: string;
  readonly isUnchanged: boolean;
  /** The ID of the event that reported the state; 0 if it comes from a response. */
  readonly lastEventId: number;
}

/** The name that people use for the host. */
export const displayName = ({ hostname, address }: Pick<HostProgress, 'hostname' | 'address'>): string =>
  hostname === '' ? address : hostname;

/** `edge-2 (127.0.0.2)`: hostnames need not be unique. */
export const formatHost = ({ hostname, address }: Pick<HostProgress, 'hostname' | 'address'>): string =>
  hostname === '' ? address : `${hostname} (${address})`;

export function getPhaseGroup({ state, inFlightSinceMs }: Pick<HostProgress, 'state' | 'inFlightSinceMs'>): PhaseGroup {
  if (state !== 'unreachable') return PHASE_GROUPS[state];
  // An unreachable host keeps its group: it uses a slot if it was in flight before.
  return inFlightSinceMs === undefined ? 'preparing' : 'in_flight';
}

/** Whether the operation ended before it took the host out of service. Even a queued host then waits for nothing. */
export const isNotStarted = (
  host: Pick<HostProgress, 'state' | 'inFlightSinceMs'>,
  hasOperationEnded: boolean,
): boolean => hasOperationEnded && ['waiting', 'preparing'].includes(getPhaseGroup(host));

/** Whether the host has ended. Only a retry starts a new attempt. */
export const isEnded = (state: OperationHostState): boolean =>
  getPhaseGroup({ state, inFlightSinceMs: undefined }) === 'ended';

const isInFlight = (state: OperationHostState) => getPhaseGroup({ state, inFlightSinceMs: undefined }) === 'in_flight';

export function toHostProgress(host: ReportedHost): HostProgress {
  const { address, hostname, state, attempt, position, error, detail, already_there } = host;
  const phases = host.phases.map(({ at, ...entry }) => ({ ...entry, atMs: parseWireTime(at) }));
  const attemptPhases = phases.filter(entry => entry.attempt === attempt);
  return {
    address,
    hostname,
    state,
    attempt,
    position,
    phases,
    problem: error ?? detail,
    lastEventId: 0,
    isUnchanged: already_there,
    sinceMs: attemptPhases.at(-1)?.atMs,
    inFlightSinceMs: attemptPhases.find(({ phase }) => isInFlight(phase))?.atMs,
  };
}

const isHostState = (value: unknown): value is OperationHostState =>
  OPERATION_HOST_STATES.some(state => state === value);
const isPhase = (state: OperationHostState): state is RecordedPhase => RECORDED_PHASES.some(phase => phase === state);

function appendPhase(phases: readonly PhaseStart[], state: OperationHostState, attempt: number, atMs: number) {
  const last = phases.at(-1);
  // A host that responds again continues in its previous phase.
  const isSame = last?.phase === state && last.attempt === attempt;
  return isSame || !isPhase(state) ? phases : [...phases, { phase: state, attempt, atMs }];
}

export function applyHostEvent(previous: HostProgress, { id, at, data }: Event): HostProgress {
  const { state, attempt, problem } = data;
  if (!isHostState(state) || typeof attempt !== 'number') return previous;
  const atMs = parseWireTime(at);
  // The report can be newer than its event position.
  if (previous.lastEventId === 0 && previous.sinceMs !== undefined && atMs < previous.sinceMs) return previous;
  const isSame = previous.state === state && previous.attempt === attempt;
  const knownStartMs = previous.attempt === attempt ? previous.inFlightSinceMs : undefined;
  const inFlightSinceMs = knownStartMs ?? (isInFlight(state) ? atMs : undefined);
  return {
    address: previous.address,
    hostname: previous.hostname,
    position: previous.position,
    state,
    attempt,
    inFlightSinceMs,
    lastEventId: id,
    phases: appendPhase(previous.phases, state, attempt, atMs),
    problem: typeof problem === 'string' ? problem : '',
    // A host without changes is done without having been in flight.
    isUnchanged: state === 'done' && (inFlightSinceMs === undefined || (isSame && previous.isUnchanged)),
    sinceMs: isSame ? previous.sinceMs : atMs,
  };
}

/** In the order of the plan, which never changes. An update copies the list, but shares the index. */
export class OrderedHosts {
  readonly list: readonly HostProgress[];
  readonly #indexes: ReadonlyMap<string, number>;

  private constructor(list: readonly HostProgress[], indexes: ReadonlyMap<string, number>) {
    [this.list, this.#indexes] = [list, indexes];
  }

  static of(list: readonly HostProgress[]): OrderedHosts {
    return new OrderedHosts(list, new Map(list.map(({ address }, index) => [address, index])));
  }

  get size(): number {
    return this.list.length;
  }

  indexOf(address: string): number | undefined {
    return this.#indexes.get(address);
  }

  get(address: string): HostProgress | undefined {
    const index = this.#indexes.get(address);
    return index === undefined ? undefined : this.list[index];
  }

  values(): IterableIterator<HostProgress> {
    return this.list.values();
  }

  /** Returns a copy with the changed hosts. Ignores unknown addresses. */
  with(changed: ReadonlyMap<string, HostProgress>): OrderedHosts {
    const list = [...this.list];
    for (const [address, host] of changed) {
      const index = this.#indexes.get(address);
      if (index !== undefined) list[index] = host;
    }
    return new OrderedHosts(list, this.#indexes);
  }
}
