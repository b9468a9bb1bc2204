// Plays a history, and answers what went wrong in it, if something did.

import type { Address } from '../../../../src/domain/addresses/address.ts';
import type { AlarmClock } from '../../../../src/lib/time/clock.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { ReusedStore } from '../../../harness/simulation/reused-store.ts';
import { Simulation } from '../../../harness/simulation/simulation.ts';
import type { WorldOptions } from '../../../harness/simulation/world-options.ts';
import { MINUTE } from '../../../harness/simulation/world-options.ts';
import { addressOf, Cast, CLUSTER, MANAGER } from './cast.ts';
import { ask, doDeed } from './deeds.ts';
import { END_RULES } from './end-rules.ts';
import type { History, Setup } from './history.ts';
import type { OperationRow } from './state.ts';
import { isInFlight, isOpen, isPreparing, plannedIn } from './state.ts';
import { Watcher } from './watcher.ts';

/** Fewer beats than usual, for speed. */
const SETTINGS = { leaseMs: (3 * MINUTE) / 4 };
const READY = ['active', 'disassociated'];
/** All phases of all hosts, one after the other, would be over by then, and the wait for hosts in the way. */
const LONGEST_MS = 2 * 60 * MINUTE;

export interface Stage {
  readonly store: ReusedStore;
  readonly options?: WorldOptions;
  /** What servers and people have instead of the store itself. */
  readonly disguise?: (store: Store) => Store;
}

const same = (store: Store) => store;

/** Everything that a history begins with, before the first server and the first request. */
export async function setTheScene({ store, options, disguise = same }: Stage, setup: Setup): Promise<Cast> {
  const watcher = new Watcher(store);
  let opened: Promise<Store> | undefined;
  const open = (clock: AlarmClock) => {
    opened ??= store.begin(clock, () => watcher.look()).then(disguise);
    return opened;
  };
  const simulation = await Simulation.over(open, {
    ...options,
    settings: { ...SETTINGS, ...options?.settings },
  });
  const cast = new Cast(simulation, watcher, setup);
  await simulation.makeCluster(
    CLUSTER,
    setup.manager === 'none' ? undefined : { name: MANAGER, type: setup.manager },
  );
  simulation.manager.controlPlane = setup.controlPlane.map(place => addressOf(place));
  const { control } = await simulation.startServer();
  for (const [place, os] of cast.systems.entries())
    await simulation.enrolMachines(
      [addressOf(place)],
      { os },
      place < setup.members.length ? { cluster: CLUSTER } : {},
    );
  await watcher.begin(simulation);
  const isReady = () => watcher.state.hosts.every(({ status }) => READY.includes(status));
  await simulation.clock.advanceUntil(isReady, 5 * MINUTE);
  control.kill();
  simulation.manager.bootDelays = setup.bootDelays;
  for (const host of setup.foreign) await doDeed(cast, { do: 'people cordon', host });
  for (const { host, pod } of setup.pods) await doDeed(cast, { do: 'add pod', host, pod });
  return cast;
}

/** Lets time pass up to a moment. Of servers that die one after the other, the next begins when the last is dead. */
export async function passUntil(cast: Cast, isOver: () => boolean, withinMs: number): Promise<boolean> {
  const { simulation, watcher } = cast;
  const { clock } = simulation;
  const untilMs = clock.monotonicMs() + withinMs;
  clock.after(withinMs, () => {});
  for (;;) {
    const isTimeUp = () => clock.monotonicMs() >= untilMs;
    const isEnough = () => watcher.violation !== undefined || isTimeUp() || isOver();
    await clock.advanceUntil(() => cast.isOrphaned || isEnough(), untilMs - clock.monotonicMs());
    if (isEnough()) return isOver();
    await cast.startServer();
  }
}

const isAtRest = (cast: Cast, { id }: Pick<OperationRow, 'id'>): boolean => {
  const { state } = cast.watcher;
  const operation = state.operations.find(each => each.id === id);
  if (operation === undefined || !isOpen(operation)) return true;
  const isBusy = plannedIn(state, operation).some(row => isInFlight(row) || isPreparing(row));
  return operation.state === 'paused' && !isBusy;
};

/** Takes all that is wrong away, and waits for the end. */
async function bringToRest(cast: Cast): Promise<string | undefined> {
  const { simulation, watcher, setup } = cast;
  for (const host of simulation.fleet.hosts) {
    host.recover();
    host.switchOn();
  }
  await doDeed(cast, { do: 'mend manager' });
  await doDeed(cast, { do: 'release' });
  for (const place of cast.systems.keys())
    await doDeed(cast, { do: 'maintenance', host: place, isOn: false });
  await cast.killAll();
  for (let count = 0; count < setup.servers; count += 1) await cast.startServer();
  for (const { id } of watcher.state.operations) {
    const problem = await bringToItsEnd(cast, id);
    if (problem) return problem;
  }
  return undefined;
}

/** Waits for an operation; when it rests before it is finished, people have their say, and cancel it at last. */
async function bringToItsEnd(cast: Cast, id: string): Promise<string | undefined> {
  const { watcher, setup } = cast;
  const words = setup.lastWords.map(word =>
    word === 'resume' ? { do: word } : { do: word, hosts: 'failed' as const },
  );
  for (const deed of [...words, { do: 'cancel' as const }, undefined]) {
    if (!(await passUntil(cast, () => isAtRest(cast, { id }), LONGEST_MS))) return noEnd(cast, id);
    const operation = watcher.state.operations.find(each => each.id === id);
    if (operation?.state === 'paused' && operation.pause !== 'manual' && operation.problem === '')
      return `operation ${id} is paused (${operation.pause}), and does not say why`;
    if (operation?.state === 'failed' && operation.problem === '')
      return `operation ${id} has failed, and does not say why`;
    if (deed === undefined && operation && isOpen(operation)) return noEnd(cast, id);
    cast.operation = id;
    if (deed) await doDeed(cast, deed);
  }
  return undefined;
}

function noEnd({ watcher }: Cast, id: string): string | undefined {
  const operation = watcher.state.operations.find(each => each.id === id);
  if (operation === undefined || watcher.violation !== undefined) return watcher.violation;
  const hosts = plannedIn(watcher.state, operation).map(
    ({ host, phase, problem }: { host: Address; phase: string; problem: string }) =>
      `${host} ${phase} ${JSON.stringify(problem)}`,
  );
  const { state, pause, problem } = operation;
  return `operation ${id} does not end: ${state} ${pause ?? ''} ${JSON.stringify(problem)}; ${hosts.join('; ')}`;
}

async function goThrough(cast: Cast, { events }: History): Promise<string | undefined> {
  const { watcher, simulation } = cast;
  for (let count = 0; count < cast.setup.servers; count += 1) await cast.startServer();
  await ask(cast, cast.setup.asked);
  const beginMs = simulation.clock.monotonicMs();
  for (const { atMs, deed } of events) {
    await passUntil(cast, () => false, beginMs + atMs - simulation.clock.monotonicMs());
    if (watcher.violation) return watcher.violation;
    await doDeed(cast, deed);
  }
  const problem = await bringToRest(cast);
  // What comes late comes now.
  await passUntil(cast, () => false, MINUTE / 2);
  return watcher.violation ?? problem ?? problemAtTheEnd(cast);
}

export async function problemAtTheEnd(cast: Cast): Promise<string | undefined> {
  for (const rule of END_RULES) {
    const found = await rule(cast);
    if (found) return found;
  }
  return undefined;
}

/** Answers what was wrong, and when. */
export async function play(stage: Stage, history: History): Promise<string | undefined> {
  const cast = await setTheScene(stage, history.setup);
  try {
    return await goThrough(cast, history);
  } catch (error) {
    return `it broke: ${error instanceof Error ? error.stack : String(error)}`;
  } finally {
    await cast.simulation.end();
  }
}
