import type { DriverRecord } from '../domain/driver-record.ts';
import type { OutputRef } from '../domain/events/signal.ts';
import type { Vault } from '../domain/secret.ts';
import type { HealthCheckResult, OperationKind, OperationState, TaskKind } from '../domain/vocabulary.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { Drivers } from '../drivers/index.ts';
import type { OpenNetwork } from '../drivers/network/network.ts';
import type { Transport } from '../drivers/transport/transport.ts';
import type { Log } from '../lib/log.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { Procedures } from '../procedures/index.ts';
import type { FinishedJob } from '../procedures/jobs/job-poll.ts';
import type { Outcome } from '../procedures/step.ts';
import type { Store, WriteFence } from '../store/store.ts';
import type { RunKind } from './claim-quotas.ts';
import type { ReconcileQueue } from './reconcile/reconcile-queue.ts';

export interface EngineSettings {
  /** How long a server that is not heard of keeps its claims. */
  readonly leaseMs: number;
  /** How often each host is checked. */
  readonly checkIntervalMs: number;
  /** How often a check asks for all facts. */
  readonly factsIntervalMs: number;
  readonly connectTimeoutMs: number;
  /** How many hosts are worked on at once, how many are checked, and on how many new credentials are tried. */
  readonly maxTasks: number;
  readonly maxChecks: number;
  readonly maxCredentialTests: number;
  /** For how long operations that are over are kept. */
  readonly operationRetentionMs: number;
}

/** What keeps the servers of a network from being changed by a server that has lost its lease. */
export interface SendFence {
  /** Asked right before anything is sent to them. */
  readonly mayProceed: () => boolean;
}

/** The same for a container manager. */
export interface ManagerFence extends SendFence {
  /** Called in each transaction that remembers something for it. */
  readonly write: WriteFence;
}

/** What the engine stands on; the composition root gives it. */
export interface EnginePorts {
  readonly store: Store;
  readonly clock: TimerClock;
  readonly vault: Vault;
  readonly drivers: Drivers;
  readonly transport: Transport;
  readonly procedures: Procedures;
  /** The container manager that a record describes. */
  readonly openManager: (record: DriverRecord, fence: ManagerFence) => Promise<ContainerManager>;
  /** The network that a record describes, in a cluster with such a container manager. */
  readonly openNetwork: (
    record: DriverRecord,
    managerType: string | null,
    fence: SendFence,
  ) => Promise<OpenNetwork>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** null: nothing is traced. */
  readonly tracer: Tracer | null;
  /** From 0 to 1: keeps what failed together from coming back together. */
  readonly jitter: () => number;
  /** Of the machine that this server runs on; `''`: not known. */
  readonly ownBootId: string;
  readonly settings: EngineSettings;
  /** Told once it is committed what a step has said, for people who watch. */
  readonly notifyOutput: (output: OutputRef) => void;
  /** Who counts what happens here. Missing: nobody does. */
  readonly metrics?: EngineMetrics;
}

/** The same, for whoever tells what has happened. */
export interface RunPorts extends EnginePorts {
  readonly reconcileQueue: ReconcileQueue;
}

/** Who counts what the engine does. It is told after the fact, and decides nothing. */
export interface EngineMetrics {
  runStarted(kind: RunKind): void;
  runEnded(kind: RunKind): void;
  /** Somebody else may have the host by now. */
  claimLost(kind: RunKind): void;
  /** It is tried again. */
  runErrored(kind: RunKind): void;
  leaseLost(): void;
  /** What servers had that are not heard of any more is free. */
  takeoverDone(): void;
  jobEnded(result: FinishedJob['result']): void;
  stepEnded(taskKind: TaskKind, step: string, outcome: Outcome['kind'], seconds: number): void;
  checkEnded(result: HealthCheckResult, seconds: number): void;
  operationEnded(kind: OperationKind, state: OperationState): void;
}
