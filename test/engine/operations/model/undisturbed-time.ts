import type { SimulatedHost } from '../../../../src/simulator/simulated-host.ts';
import type { Simulation } from '../../../harness/simulation/simulation.ts';

/** Minimum number of hosts for which a server can conclude that it is partitioned. */
const MIN_PARTITION_HOSTS = 3;
/** Connect timeout of the simulated servers. */
const CONNECT_TIMEOUT_MS = 10_000;

const DISTURBING = ['freeze_server', 'cut_hosts', 'cut_store'] as const;

/** Returns true if a server gets no response from the host, judged from outside. */
export const isUnresponsive = ({ downSinceMs, faults }: SimulatedHost): boolean =>
  downSinceMs !== undefined ||
  (faults?.all ?? []).some(
    fault =>
      fault.kind === 'unreachable' ||
      fault.kind === 'frozen' ||
      (fault.kind === 'slow' && (fault.connectMs ?? 0) >= CONNECT_TIMEOUT_MS),
  );

/**
 * Time in which the servers can make progress, for deadlines. It excludes the time in which no server is
 * alive, in which a live server is frozen or cut off from hosts or the store (it may hold the claim of the
 * host), and in which most hosts are unresponsive, so a server may conclude that it is partitioned.
 */
export class UndisturbedTime {
  readonly #simulation: Simulation;
  #lastMs: number;
  #wasUndisturbed = false;
  #signature = '';
  #countedMs = 0;
  #disturbances = 0;
  #hostsCutSinceMs: number | undefined;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.#lastMs = simulation.clock.now();
  }

  get countedMs(): number {
    return this.#countedMs;
  }

  /**
   * Number of times that a server started, stopped, was frozen or cut off, or a partition may have started
   * or ended.
   */
  get disturbances(): number {
    return this.#disturbances;
  }

  /** Time since any live server reached any host; 0 if one does or no server is alive. */
  get hostsCutMs(): number {
    return this.#hostsCutSinceMs === undefined ? 0 : this.#lastMs - this.#hostsCutSinceMs;
  }

  /**
   * Returns true if each server has enough hosts to distinguish a partition from an outage. Several servers
   * do not share hosts evenly.
   */
  get canDetectPartitions(): boolean {
    const { servers, fleet } = this.#simulation;
    const alive = servers.filter(({ control }) => !control.isKilled).length;
    const required = alive > 1 ? 2 * alive * MIN_PARTITION_HOSTS : MIN_PARTITION_HOSTS;
    return [...fleet.hosts].filter(host => !isUnresponsive(host)).length >= required;
  }

  /** Must be called often: a disturbance between two calls counts from the previous call to the next. */
  update(): void {
    const { clock, servers, fleet } = this.#simulation;
    const alive = servers.map(({ control }) => control).filter(control => !control.isKilled);
    const hosts = [...fleet.hosts];
    const unresponsive = hosts.filter(isUnresponsive).length;
    // While most hosts respond, a server is partitioned no longer than it needs to check all of them.
    const isReachable = unresponsive < MIN_PARTITION_HOSTS || 2 * unresponsive < hosts.length;
    const isDisturbed = alive.some(server => DISTURBING.some(fault => server.has(fault)));
    const isUndisturbed = alive.length > 0 && !isDisturbed && isReachable;
    const signature = `${servers.length} ${alive.length} ${isUndisturbed}`;
    if (signature !== this.#signature) this.#disturbances += 1;
    const nowMs = clock.now();
    const areHostsCut = alive.length > 0 && alive.every(server => server.has('cut_hosts'));
    this.#hostsCutSinceMs = areHostsCut ? (this.#hostsCutSinceMs ?? nowMs) : undefined;
    if (this.#wasUndisturbed && isUndisturbed) this.#countedMs += nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    this.#wasUndisturbed = isUndisturbed;
    this.#signature = signature;
  }
}

/** After a disturbance a lease expires, or the next health checks end a partition. */
const RECOVERY_MS = 75_000;

/**
 * Measures undisturbed time since its creation, minus the time that servers need to recover from
 * disturbances.
 */
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
