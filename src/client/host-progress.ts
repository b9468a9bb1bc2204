// How far a host of an operation is: as it was read, and as events tell it since. Pure. What must hold: a host that an event does not change
// stays the same object, so that whoever shows many of them draws only what is new.

import type { Static } from 'typebox';
import type { Event } from '../contract/routes/events.ts';
import type { OperationReport } from '../contract/routes/operations.ts';
import type { HostPhase, HostState, PhaseGroup } from '../domain/vocabulary.ts';
import { HOST_PHASES, HOST_STATES, PHASE_GROUPS } from '../domain/vocabulary.ts';
import { timeOf } from './times.ts';

type ReadHost = Omit<Static<typeof OperationReport>['hosts'][number], 'output'>;

/** When an attempt came into a phase. */
export interface PhaseBegun {
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
  readonly phases: readonly PhaseBegun[];
  /** When it came into its state. */
  readonly sinceMs: number | undefined;
  /** When this attempt began to take its place; `undefined`: it has not. */
  readonly inFlightSinceMs: number | undefined;
  /** Why it failed, or what it waits for. */
  readonly problem: string;
  /** There was nothing to do. */
  readonly isAlreadyThere: boolean;
  /** The ID of the event that reported it; 0: it comes from a response. */
  readonly toldBy: number;
}

/** What it means to the operation that a host is so. */
export function partOf({
  state,
  inFlightSinceMs,
}: Pick<HostProgress, 'state' | 'inFlightSinceMs'>): PhaseGroup {
  if (state !== 'unreachable') return PHASE_GROUPS[state];
  // Where one that does not answer was is known by what it had begun.
  return inFlightSinceMs === undefined ? 'preparing' : 'in_flight';
}

/** Nothing more is done on a host, unless somebody asks for another attempt. */
export const isEnded = (state: HostState): boolean =>
  partOf({ state, inFlightSinceMs: undefined }) === 'ended';

const isInFlight = (state: HostState) => partOf({ state, inFlightSinceMs: undefined }) === 'in_flight';

export function readHostProgress(host: ReadHost): HostProgress {
  const { address, state, attempt, position, error, detail, already_there } = host;
  const phases = host.phases.map(each => ({
    phase: each.phase,
    attempt: each.attempt,
    atMs: timeOf(each.at),
  }));
  const own = phases.filter(each => each.attempt === attempt);
  return {
    ...{ address, state, attempt, position, phases, problem: error ?? detail, toldBy: 0 },
    isAlreadyThere: already_there,
    sinceMs: own.at(-1)?.atMs,
    inFlightSinceMs: own.find(({ phase }) => isInFlight(phase))?.atMs,
  };
}

const isHostState = (value: unknown): value is HostState => HOST_STATES.some(state => state === value);
const isPhase = (state: HostState): state is HostPhase => HOST_PHASES.some(phase => phase === state);

function withPhase(phases: readonly PhaseBegun[], state: HostState, attempt: number, atMs: number) {
  const last = phases.at(-1);
  // One that answers again goes on in the phase that it was in.
  const isSame = last?.phase === state && last.attempt === attempt;
  return isSame || !isPhase(state) ? phases : [...phases, { phase: state, attempt, atMs }];
}

/** What becomes of a host by an event about it; the same object where nothing does. */
export function withHostEvent(before: HostProgress, { id, at, data }: Static<typeof Event>): HostProgress {
  const { state, attempt, problem } = data;
  if (!isHostState(state) || typeof attempt !== 'number') return before;
  const atMs = timeOf(at);
  // A read may have seen more than it says.
  if (before.toldBy === 0 && before.sinceMs !== undefined && atMs < before.sinceMs) return before;
  const isSame = before.state === state && before.attempt === attempt;
  const began = before.attempt === attempt ? before.inFlightSinceMs : undefined;
  const inFlightSinceMs = began ?? (isInFlight(state) ? atMs : undefined);
  return {
    ...{ address: before.address, position: before.position, state, attempt, inFlightSinceMs, toldBy: id },
    phases: withPhase(before.phases, state, attempt, atMs),
    problem: typeof problem === 'string' ? problem : '',
    // Who had nothing to do is done without having been in flight.
    isAlreadyThere: state === 'done' && (inFlightSinceMs === undefined || (isSame && before.isAlreadyThere)),
    sinceMs: isSame ? before.sinceMs : atMs,
  };
}
