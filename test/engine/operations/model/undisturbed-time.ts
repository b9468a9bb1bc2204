import type { SimulatedHost } from '../../../../src/simulator/simulated-host.ts';
import type { Simulation } from '../../../harness/simulation/simulation.ts';

/** From here on a server may conclude that it is partitioned. */
const PARTITION_FROM_HOSTS = 3;
/** A connect that takes longer than this times out; see `SETTINGS`. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Whether a server gets no answer from the host, as far as that can be seen from outside. */
export const isSilent = ({ downSinceMs, faults }: SimulatedHost): boolean =>
  downSinceMs !== undefined ||
  (faults?.all ?? []).some(
    fault =>
      fault.kind === 'unreachable' ||
      fault.kind === 'frozen' ||
      (fault.kind === 'slow' && (fault.connectMs ?? 0) >= CONNECT_TIMEOUT_MS),
  );

/**
 * Time in which the servers can make progress, for deadlines. Not counted: time in which no server is alive, in which a live server is frozen,
 * isolated or cut off from the store (it may hold the claim of the host), and in which most hosts are silent, so that a server may conclude
 * that it is partitioned.
 */
export class UndisturbedTime {
  readonly #simulation: Simulation;
  #lastMs: number;
  #wasCalm = false;
  #signature = '';
  #countedMs = 0;
  #disturbances = 0;
  #isolatedSinceMs: number | undefined;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.#lastMs = simulation.clock.now();
  }

  get countedMs(): number {
    return this.#countedMs;
  }

  /** How often a server started, stopped, or was frozen or isolated, or a partition may have begun or ended. */
  get disturbances(): number {
    return this.#disturbances;
  }

  /** For how long no live server has reached any host; 0: one does, or no server is alive. */
  get isolatedMs(): number {
    return this.#isolatedSinceMs === undefined ? 0 : this.#lastMs - this.#isolatedSinceMs;
  }

  /** Whether each server has enough hosts to tell a partition from an outage. Several servers do not share hosts evenly. */
  get canNoticePartitions(): boolean {
    const { servers, fleet } = this.#simulation;
    const alive = servers.filter(({ control }) => !control.isDead).length;
    const wanted = alive > 1 ? 2 * alive * PARTITION_FROM_HOSTS : PARTITION_FROM_HOSTS;
    return [...fleet.hosts].filter(host => !isSilent(host)).length >= wanted;
  }

  /** Called often: a disturbance between two calls is counted from the call before it to the call after it. */
  update(): void {
    const { clock, servers, fleet } = this.#simulation;
    const alive = servers.map(({ control }) => control).filter(control => !control.isDead);
    const hosts = [...fleet.hosts];
    const silent = hosts.filter(isSilent).length;
    // While most hosts answer, a server is not partitioned for longer than it needs to check all of them.
    const isQuiet = silent < PARTITION_FROM_HOSTS || 2 * silent < hosts.length;
    const isDisturbed = alive.some(one => one.isFrozen || one.isIsolated || one.isCutOffFromStore);
    const isCalm = alive.length > 0 && !isDisturbed && isQuiet;
    const signature = `${servers.length} ${alive.length} ${isCalm}`;
    if (signature !== this.#signature) this.#disturbances += 1;
    const nowMs = clock.now();
    const isIsolated = alive.length > 0 && alive.every(one => one.isIsolated);
    this.#isolatedSinceMs = isIsolated ? (this.#isolatedSinceMs ?? nowMs) : undefined;
    if (this.#wasCalm && isCalm) this.#countedMs += nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    this.#wasCalm = isCalm;
    this.#signature = signature;
  }
}

/** After a disturbance a lease expires, or the next health checks show that a partition is over. */
const RECOVERY_MS = 75_000;

/** Measures undisturbed time from one moment on, less what servers need to recover from disturbances since. */
export class Stopwatch {
  readonly #time: UndisturbedTime;
  readonly #countedMs: number;
  readonly #disturbances: number;

  constructor(time: UndisturbedTime) {
    this.#time = time;
    this.#countedMs = time.countedMs;
    this.#disturbances = time.disturbances;
  }

  get elapsedMs(): number {
    const recoveryMs = (this.#time.disturbances - this.#disturbances) * RECOVERY_MS;
    return this.#time.countedMs - this.#countedMs - recoveryMs;
  }
}
