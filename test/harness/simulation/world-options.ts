import type { Drivers } from '../../../src/drivers/index.ts';
import type { EngineMetrics, EngineSettings } from '../../../src/engine/ports.ts';
import type { TimerClock } from '../../../src/lib/time/clock.ts';
import type { Tracer } from '../../../src/lib/tracer.ts';
import type { Procedures } from '../../../src/procedures/index.ts';
import type { CommandSimulator } from '../../../src/simulator/simulated-machine.ts';
import type { Latencies } from '../../../src/simulator/simulation-context.ts';

export const MINUTE = 60_000;

/** How servers are set, unless a test says otherwise. */
export const SETTINGS: EngineSettings = {
  leaseMs: 15_000,
  checkIntervalMs: MINUTE,
  factsIntervalMs: 60 * MINUTE,
  connectTimeoutMs: 10_000,
  maxTasks: 100,
  maxChecks: 100,
  maxCredentialTests: 10,
  operationRetentionMs: 365 * 24 * 60 * MINUTE,
};

export interface WorldOptions {
  /** What hosts and servers go by, instead of a clock that moves only when it is told to. */
  readonly time?: TimerClock;
  readonly settings?: Partial<EngineSettings>;
  readonly times?: Partial<Latencies>;
  readonly drivers?: Drivers;
  readonly fakes?: readonly CommandSimulator[];
  /** For hosts of every system. */
  readonly commonFakes?: readonly CommandSimulator[];
  /** How hosts are rebooted, instead of with all guards. */
  readonly reboots?: CommandSimulator;
  /** What servers trace by. */
  readonly tracer?: (clock: TimerClock) => Tracer | null;
  /** What is done for work, instead of all of it. */
  readonly operations?: (standard: Procedures) => Procedures;
  /** Who counts what all servers do. */
  readonly metrics?: EngineMetrics;
}
