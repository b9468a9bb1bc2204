import type { Drivers } from '../../../src/drivers/index.ts';
import type { MachineFake } from '../../../src/drivers/machine.ts';
import type { Times } from '../../../src/drivers/transport/sim/world.ts';
import type { EngineMeter } from '../../../src/engine/meter.ts';
import type { EngineSettings } from '../../../src/engine/ports.ts';
import type { AlarmClock } from '../../../src/lib/time/clock.ts';
import type { Tracer } from '../../../src/lib/tracer.ts';
import type { Operations } from '../../../src/operations/index.ts';

export const MINUTE = 60_000;

/** How servers are set, unless a test says otherwise. */
export const SETTINGS: EngineSettings = {
  leaseMs: 15_000,
  checkIntervalMs: MINUTE,
  factsEveryMs: 60 * MINUTE,
  connectTimeoutMs: 10_000,
  maxWork: 100,
  maxChecks: 100,
  maxTrials: 10,
  keepOperationsMs: 365 * 24 * 60 * MINUTE,
};

export interface WorldOptions {
  /** What hosts and servers go by, instead of a clock that moves only when it is told to. */
  readonly time?: AlarmClock;
  readonly settings?: Partial<EngineSettings>;
  readonly times?: Partial<Times>;
  readonly drivers?: Drivers;
  readonly fakes?: readonly MachineFake[];
  /** For hosts of every system. */
  readonly commonFakes?: readonly MachineFake[];
  /** How hosts are rebooted, instead of with all guards. */
  readonly reboots?: MachineFake;
  /** What servers trace by. */
  readonly tracer?: (clock: AlarmClock) => Tracer | null;
  /** What is done for work, instead of all of it. */
  readonly operations?: (standard: Operations) => Operations;
  /** Who counts what all servers do. */
  readonly meter?: EngineMeter;
}
