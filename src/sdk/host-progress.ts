// How far a host of an operation is: as it was read, and as events tell it since. Pure. What must hold: a host that an event does not change
// stays the same object, so that whoever shows many of them draws only what is new.

import type { Static } from 'typebox';
import type { Event } from '../contract/routes/events.ts';
import type { OperationReport } from '../contract/routes/operations.ts';
import type { HostPhase, HostState, PhaseGroup } from '../domain/vocabulary.ts';
import { HOST_PHASES, HOST_STATES, PHASE_GROUPS } from '../domain/vocabulary.ts';
import { parseWireTime } from './format.ts';

type ReportedHost = Omit<Static<typeof OperationReport>['hosts'][number], 'output'>;

/** When an attempt came into a phase. */
export interface PhaseStart {
  readonly phase: HostPhase;
  readonly attempt: number;
  readonly atMs: number;
}

export interface HostProgress {
  readonly address: string;
  readonly state: HostState;
  readonly attempt: number;
  /** Its place in the order of the plan, from 0 on. */
  readonly position: number;
  /** Of all attempts, in the order in which they came. */
  readonly phases: readonly PhaseStart[];
  /** When it came into its state. */
  readonly sinceMs: number | undefined;
  /** When this attempt began to take its place; `undefined`: it has not. */
  readonly inFlightSinceMs: number | undefined;
  /** Why it failed, or what it waits for. */
  readonly problem: string;
  /** There was nothing to do. */
  readonly isUnchanged: boolean;
  /** The ID of the event that reported it; 0: it comes from a response. */
  readonly lastEventId: number;
}

/** What it means to the operation that a host is so. */
export function getPhaseGroup({
  state,
  inFlightSinceMs,
}: Pick<HostProgress, 'state' | 'inFlightSinceMs'>): PhaseGroup {
  if (state !== 'unreachable') return PHASE_GROUPS[state];
  // Where one that does not answer was is known by what it had begun.
  return inFlightSinceMs === undefined ? 'preparing' : 'in_flight';
}

/** Nothing more is done on a host, unless somebody asks for another attempt. */
export const isEnded = (state: HostState): boolean =>
  getPhaseGroup({ state, inFlightSinceMs: undefined }) === 'ended';

const isInFlight = (state: HostState) => getPhaseGroup({ state, inFlightSinceMs: undefined }) === 'in_flight';

export function toHostProgress(host: ReportedHost): HostProgress {
  const { address, state, attempt, position, error, detail, already_there } = host;
  const phases = host.phases.map(entry => ({
    phase: entry.phase,
    attempt: entry.attempt,
    atMs: parseWireTime(entry.at),
  }));
  const attemptPhases = phases.filter(entry => entry.attempt === attempt);
  return {
    ...{ address, state, attempt, position, phases, problem: error ?? detail, lastEventId: 0 },
    isUnchanged: already_there,
    sinceMs: attemptPhases.at(-1)?.atMs,
    inFlightSinceMs: attemptPhases.find(({ phase }) => isInFlight(phase))?.atMs,
  };
}

const isHostState = (value: unknown): value is HostState => HOST_STATES.some(state => state === value);
const isPhase = (state: HostState): state is HostPhase => HOST_PHASES.some(phase => phase === state);

function appendPhase(phases: readonly PhaseStart[], state: HostState, attempt: number, atMs: number) {
  const last = phases.at(-1);
  // One that answers again goes on in the phase that it was in.
  const isSame = last?.phase === state && last.attempt === attempt;
  return isSame || !isPhase(state) ? phases : [...phases, { phase: state, attempt, atMs }];
}

/** What becomes of a host by an event about it; the same object where nothing does. */
export function applyHostEvent(previous: HostProgress, { id, at, data }: Static<typeof Event>): HostProgress {
  const { state, attempt, problem } = data;
  if (!isHostState(state) || typeof attempt !== 'number') return previous;
  const atMs = parseWireTime(at);
  // A read may have seen more than it says.
  if (previous.lastEventId === 0 && previous.sinceMs !== undefined && atMs < previous.sinceMs)
    return previous;
  const isSame = previous.state === state && previous.attempt === attempt;
  const knownStartMs = previous.attempt === attempt ? previous.inFlightSinceMs : undefined;
  const inFlightSinceMs = knownStartMs ?? (isInFlight(state) ? atMs : undefined);
  return {
    ...{
      address: previous.address,
      position: previous.position,
      state,
      attempt,
      inFlightSinceMs,
      lastEventId: id,
    },
    phases: appendPhase(previous.phases, state, attempt, atMs),
    problem: typeof problem === 'string' ? problem : '',
    // Who had nothing to do is done without having been in flight.
    isUnchanged: state === 'done' && (inFlightSinceMs === undefined || (isSame && previous.isUnchanged)),
    sinceMs: isSame ? previous.sinceMs : atMs,
  };
}

/** The hosts of an operation in the order of its plan, which never changes: to know some of them anew costs a copy of a list, not of an index. */
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

  /** Its place in the list; `undefined`: it is none of them. */
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

  /** The same with these in the places of those that were. */
  with(changed: ReadonlyMap<string, HostProgress>): OrderedHosts {
    const list = [...this.list];
    for (const [address, host] of changed) {
      const index = this.#indexes.get(address);
      if (index !== undefined) list[index] = host;
    }
    return new OrderedHosts(list, this.#indexes);
  }
}
