import type { DriverRecord } from '../domain/driver-record.ts';
import type { OutputRef } from '../domain/events/signal.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { Vault } from '../domain/secret.ts';
import type { HealthCheckResult, OperationKind, OperationState, TaskKind } from '../domain/vocabulary.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { Drivers } from '../drivers/index.ts';
import type { Network } from '../drivers/network/network.ts';
import type { Transport } from '../drivers/transport/transport.ts';
import type { Log } from '../lib/log.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { Procedures } from '../procedures/index.ts';
import type { FinishedJob } from '../procedures/jobs/job-poll.ts';
import type { Outcome } from '../procedures/step.ts';
import type { Store, WriteFence } from '../store/store.ts';

export const RUN_KINDS = ['task', 'check'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export interface EngineSettings {
  /** Time after which other servers take over the claims of an unresponsive server. */
  readonly leaseMs: number;
  readonly checkIntervalMs: number;
  readonly factsIntervalMs: number;
  readonly connectTimeoutMs: number;
  readonly maxTasks: number;
  readonly maxChecks: number;
  readonly maxCredentialTests: number;
  readonly operationRetentionMs: number;
}

/** Prevents requests to network servers by a server that has lost its lease. */
export interface SendFence {
  /** Called directly before every request. */
  readonly mayProceed: () => boolean;
}

export interface ManagerFence extends SendFence {
  /** Called in every transaction that writes driver memory. */
  readonly write: WriteFence;
}

export interface EnginePorts {
  readonly store: Store;
  readonly clock: TimerClock;
  readonly vault: Vault;
  readonly drivers: Drivers;
  readonly transport: Transport;
  readonly procedures: Procedures;
  readonly openManager: (record: DriverRecord, fence: ManagerFence) => Promise<ContainerManager>;
  readonly openNetwork: (record: DriverRecord, managerType: string | null, fence: SendFence) => Promise<Network>;
  readonly log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;
  readonly tracer: Tracer | null;
  /** From 0 to 1. */
  readonly jitter: () => number;
  /** Boot id of the machine of this server; `''` if unknown. */
  readonly ownBootId: string;
  readonly settings: EngineSettings;
  /** Called after the commit, for live views. */
  readonly notifyOutput: (output: OutputRef) => void;
  readonly metrics: EngineMetrics;
}

export interface RunPorts extends EnginePorts {
  /** Called after a commit. */
  readonly requestReconcile: (cluster: RecordName) => void;
}

export interface EngineMetrics {
  runStarted(kind: RunKind): void;
  runEnded(kind: RunKind): void;
  claimLost(kind: RunKind): void;
  runErrored(kind: RunKind): void;
  leaseLost(): void;
  takeoverDone(): void;
  jobEnded(result: FinishedJob['result']): void;
  stepEnded(taskKind: TaskKind, step: string, outcome: Outcome['kind'], seconds: number): void;
  checkEnded(result: HealthCheckResult, seconds: number): void;
  operationEnded(kind: OperationKind, state: OperationState): void;
}
