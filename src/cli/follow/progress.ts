// How far an operation is, as whoever follows it has learned: by reading it, and by what happened since. Pure. What must hold: an event
// that a read has told of already changes nothing, and no read takes back what a later event has told.

import type { Static } from 'typebox';
import type { FollowedEvent } from '../../client/follow-events.ts';
import { timeOf } from '../../client/times.ts';
import type { OperationReport } from '../../contract/operations.ts';
import type { HostState } from '../../domain/vocabulary.ts';
import { HOST_STATES } from '../../domain/vocabulary.ts';

type Report = Static<typeof OperationReport>;

/** What is told of the whole, without its hosts. */
export type Whole = Omit<Report, 'hosts' | 'policy' | 'counts' | 'budget'>;

export interface HostProgress {
  readonly address: string;
  readonly state: HostState;
  readonly attempt: number;
  /** When it came into its state. */
  readonly sinceMs: number | undefined;
  /** When this attempt began to take its place; `undefined`: it has not. */
  readonly inFlightSinceMs: number | undefined;
  /** Why it failed, or what it waits for. */
  readonly problem: string;
  /** The number of the event that has told it; 0: it was read. */
  readonly toldBy: number;
}

export interface Progress {
  readonly whole: Whole;
  /** In the order of the plan. */
  readonly hosts: ReadonlyMap<string, HostProgress>;
  /** The number of the newest event that the read of the whole has seen, and that of the hosts. */
  readonly position: number;
  readonly hostsPosition: number;
  /** Since when no server answers. */
  readonly silentSinceMs: number | undefined;
  /** How far the clock of the service is ahead of the one here. All other times are by the clock of the service. */
  readonly aheadMs: number;
}

/** What a request has answered. */
export interface Read {
  readonly report: Report;
  readonly position: number;
  readonly aheadMs: number;
}

const PREPARING: ReadonlySet<HostState> = new Set(['preflight', 'staging']);
const ENDED: ReadonlySet<HostState> = new Set(['done', 'failed', 'skipped']);

export type Part = 'waiting' | 'preparing' | 'in flight' | 'ended';

export function partOf({ state, inFlightSinceMs }: Pick<HostProgress, 'state' | 'inFlightSinceMs'>): Part {
  if (ENDED.has(state)) return 'ended';
  if (state === 'pending') return 'waiting';
  // Where one that does not answer was is known by what it had begun.
  if (state === 'unreachable') return inFlightSinceMs === undefined ? 'preparing' : 'in flight';
  return PREPARING.has(state) ? 'preparing' : 'in flight';
}

const isInFlight = (state: HostState) =>
  partOf({ state, inFlightSinceMs: undefined }) === 'in flight' && state !== 'unreachable';

function readHost({ address, state, attempt, phases, error, detail }: Report['hosts'][number]): HostProgress {
  const own = phases.filter(each => each.attempt === attempt);
  const [began, last] = [own.find(({ phase }) => isInFlight(phase)), own.at(-1)];
  return {
    ...{ address, state, attempt, problem: error ?? detail, toldBy: 0 },
    sinceMs: last && timeOf(last.at),
    inFlightSinceMs: began && timeOf(began.at),
  };
}

const wholeOf = ({ hosts: _1, policy: _2, counts: _3, budget: _4, ...whole }: Report): Whole => whole;

export const firstProgress = ({ report, position, aheadMs }: Read): Progress => ({
  ...{ whole: wholeOf(report), position, hostsPosition: position, silentSinceMs: undefined, aheadMs },
  hosts: new Map(report.hosts.map(host => [host.address, readHost(host)])),
});

/** The whole was read anew; its hosts were not. */
export const withWhole = (progress: Progress, { report, position }: Read): Progress =>
  position < progress.position ? progress : { ...progress, whole: wholeOf(report), position };

/** All was read anew. */
export function withAll(progress: Progress, read: Read): Progress {
  const hosts = new Map(
    read.report.hosts.map(host => {
      const before = progress.hosts.get(host.address);
      const isNewer = before !== undefined && before.toldBy > read.position;
      return [host.address, isNewer ? before : readHost(host)];
    }),
  );
  return { ...withWhole(progress, read), hosts, hostsPosition: read.position };
}

const isHostState = (value: unknown): value is HostState => HOST_STATES.some(state => state === value);

/** Something happened to one of its hosts; other events tell nothing that is not read. */
export function withEvent(progress: Progress, event: FollowedEvent): Progress {
  if (event.type !== 'operation.host' || event.host === null) return progress;
  const { state, attempt, problem } = event.data;
  const before = progress.hosts.get(event.host);
  if (!isHostState(state) || typeof attempt !== 'number' || before === undefined) return progress;
  const atMs = timeOf(event.at);
  // A read may have seen more than it says.
  const isSeen = before.toldBy === 0 && before.sinceMs !== undefined && atMs < before.sinceMs;
  if (event.id <= progress.hostsPosition || isSeen) return progress;
  const isSame = before.state === state && before.attempt === attempt;
  const began = before.attempt === attempt ? before.inFlightSinceMs : undefined;
  const next: HostProgress = {
    ...{ address: before.address, state, attempt, toldBy: event.id },
    problem: typeof problem === 'string' ? problem : '',
    sinceMs: isSame ? before.sinceMs : atMs,
    inFlightSinceMs: began ?? (isInFlight(state) ? atMs : undefined),
  };
  return { ...progress, hosts: new Map(progress.hosts).set(event.host, next) };
}

export const withSilence = (progress: Progress, silentSinceMs: number | undefined): Progress =>
  progress.silentSinceMs === silentSinceMs ? progress : { ...progress, silentSinceMs };

export const isOver = ({ whole }: Progress): boolean => whole.status !== 'in_process';

export interface Tally {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly left: number;
}

export function tallyOf({ hosts }: Pick<Progress, 'hosts'>): Tally {
  const count = (state: HostState) => [...hosts.values()].filter(host => host.state === state).length;
  const [total, done, failed, skipped] = [hosts.size, count('done'), count('failed'), count('skipped')];
  return { total, done, failed, skipped, left: total - done - failed - skipped };
}
