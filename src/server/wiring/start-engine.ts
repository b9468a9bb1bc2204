import { readFileSync } from 'node:fs';
import type { Ports } from '../../app/ports.ts';
import type { OutputRef } from '../../domain/events/signal.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import { Engine } from '../../engine/engine.ts';
import type { EngineMetrics } from '../../engine/ports.ts';
import type { Log } from '../../lib/log.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import { DAY_MS } from '../../lib/time/clock.ts';
import type { Tracer } from '../../lib/tracer.ts';
import { createProcedures } from '../../procedures/index.ts';
import { splitConnectionLimit } from '../configuration/limit-settings.ts';
import type { Config } from '../configuration/settings.ts';
import type { ShutdownSequence } from './shutdown-sequence.ts';

/** The boot ID of this machine, so that no operation reboots it; `''` on systems without /proc. */
export function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** Facts change rarely, so a health check reads all of them only at this interval. */
const FACTS_INTERVAL_MS = 3_600_000;
/** Running steps can finish within this time. */
const STOP_TIMEOUT_MS = 5000;

export type EngineHandle = Pick<Ports, 'testCredentials' | 'healthReport'>;

const NO_TRANSPORT = 'this server does not connect to hosts (transport is none)';

/** For a server without a transport: tasks are stored and wait for other servers. */
export const DISABLED_ENGINE: EngineHandle = {
  testCredentials: async () => new TransportFailure('unreachable', NO_TRANSPORT),
  healthReport: async () => ({
    state: 'off',
    intervalS: 0,
    lagS: 0,
    hosts: 0,
    unreachable: 0,
    detail: NO_TRANSPORT,
  }),
};

export async function startEngine(
  config: Config,
  ports: Pick<Ports, 'store' | 'vault' | 'drivers' | 'openManager' | 'openNetwork'>,
  dependencies: {
    readonly transport: Transport;
    readonly clock: TimerClock;
    readonly log: Log;
    readonly tracer: Tracer | null;
    readonly notifyOutput: (output: OutputRef) => void;
    readonly metrics: EngineMetrics;
  },
  shutdown: ShutdownSequence,
): Promise<EngineHandle> {
  const engine = await Engine.start({
    ...ports,
    ...dependencies,
    procedures: createProcedures({
      contactTimeoutMs: config.first_contact_timeout_s * 1000,
      retryTimeoutMs: config.bootstrap_retry_s * 1000,
    }),
    jitter: Math.random,
    ownBootId: readBootId(),
    settings: {
      leaseMs: config.lease_s * 1000,
      checkIntervalMs: config.check_interval_s * 1000,
      factsIntervalMs: FACTS_INTERVAL_MS,
      connectTimeoutMs: config.ssh_connect_timeout_s * 1000,
      operationRetentionMs: config.retention_operations_days * DAY_MS,
      ...splitConnectionLimit(config.limit_ssh_connections),
    },
  });
  shutdown.first.add(() => engine.stop(STOP_TIMEOUT_MS));
  return {
    testCredentials: (address, access, trace) => engine.testCredentials({ address, ...access }, trace),
    healthReport: () => engine.healthReport(),
  };
}
