import type { DriverRecord } from '../domain/driver-record.ts';
import type { SavedOutput } from '../domain/events/output-hint.ts';
import type { Vault } from '../domain/secret.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { Drivers } from '../drivers/index.ts';
import type { OpenNetwork } from '../drivers/network/network.ts';
import type { Transport } from '../drivers/transport/transport.ts';
import type { Log } from '../lib/log.ts';
import type { AlarmClock } from '../lib/time/clock.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { Operations } from '../operations/index.ts';
import type { WriteGuard } from '../store/driver-memory.ts';
import type { Store } from '../store/store.ts';
import type { EngineMeter } from './meter.ts';
import type { News } from './news.ts';

export interface EngineSettings {
  /** How long a server that is not heard of keeps its claims. */
  readonly leaseMs: number;
  /** How often each host is checked. */
  readonly checkIntervalMs: number;
  /** How often a check asks for all facts. */
  readonly factsEveryMs: number;
  readonly connectTimeoutMs: number;
  /** How many hosts are worked on at once, how many are checked, and on how many new credentials are tried. */
  readonly maxWork: number;
  readonly maxChecks: number;
  readonly maxTrials: number;
  /** For how long operations that are over are kept. */
  readonly keepOperationsMs: number;
}

/** What keeps the servers of a network from being changed by a server that has lost its lease. */
export interface SendGuard {
  /** Asked right before anything is sent to them. */
  readonly mayProceed: () => boolean;
}

/** The same for a container manager. */
export interface ManagerGuard extends SendGuard {
  /** Called in each transaction that remembers something for it. */
  readonly write: WriteGuard;
}

/** What the engine stands on; the composition root gives it. */
export interface EnginePorts {
  readonly store: Store;
  readonly clock: AlarmClock;
  readonly vault: Vault;
  readonly drivers: Drivers;
  readonly transport: Transport;
  readonly operations: Operations;
  /** The container manager that a record describes. */
  readonly openManager: (record: DriverRecord, guard: ManagerGuard) => Promise<ContainerManager>;
  /** The network that a record describes, in a cluster with such a container manager. */
  readonly openNetwork: (
    record: DriverRecord,
    managerType: string | null,
    guard: SendGuard,
  ) => Promise<OpenNetwork>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** null: nothing is traced. */
  readonly tracer: Tracer | null;
  /** From 0 to 1: keeps what failed together from coming back together. */
  readonly chance: () => number;
  /** Of the machine that this server runs on; `''`: not known. */
  readonly ownBootId: string;
  readonly settings: EngineSettings;
  /** Told once it is committed what a step has said, for people who watch. */
  readonly outputSaved: (output: SavedOutput) => void;
  /** Who counts what happens here. Missing: nobody does. */
  readonly meter?: EngineMeter;
}

/** The same, for whoever tells what has happened. */
export interface TurnPorts extends EnginePorts {
  readonly news: News;
}
