import type { Drivers } from '../../../src/drivers/index.ts';
import type { EngineMetrics, EngineSettings } from '../../../src/engine/ports.ts';
import type { TimerClock } from '../../../src/lib/time/clock.ts';
import type { Tracer } from '../../../src/lib/tracer.ts';
import type { Procedures } from '../../../src/procedures/index.ts';
import type { CommandSimulator } from '../../../src/simulator/simulated-machine.ts';
import type { Latencies } from '../../../src/simulator/simulation-context.ts';

export const MINUTE = 60_000;

/** Default engine settings. */
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

export interface SimulationOptions {
  /** Replaces the virtual clock of hosts and servers. */
  readonly clock?: TimerClock;
  readonly settings?: Partial<EngineSettings>;
  readonly latencies?: Partial<Latencies>;
  readonly drivers?: Drivers;
  readonly simulators?: readonly CommandSimulator[];
  /** For hosts of every operating system. */
  readonly commonSimulators?: readonly CommandSimulator[];
  /** Replaces the reboot simulator. */
  readonly rebootSimulator?: CommandSimulator;
  /** Tracer of the servers. */
  readonly tracer?: (clock: TimerClock) => Tracer | null;
  /** Changes the default procedures. */
  readonly procedures?: (defaults: Procedures) => Procedures;
  /** Shared by all servers. */
  readonly metrics?: EngineMetrics;
  /** Receives the debug log of all servers. */
  readonly onDebug?: (fields: unknown, message?: string) => void;
}

export const NO_METRICS: EngineMetrics = {
  runStarted: () => {},
  runEnded: () => {},
  claimLost: () => {},
  runErrored: () => {},
  leaseLost: () => {},
  takeoverDone: () => {},
  jobEnded: () => {},
  stepEnded: () => {},
  checkEnded: () => {},
  operationEnded: () => {},
};
