import type { Ports } from '../../app/ports.ts';
import type { OutputRef } from '../../domain/events/signal.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import { Engine } from '../../engine/engine.ts';
import type { EngineMetrics } from '../../engine/ports.ts';
import type { Log } from '../../lib/log.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import { DAY_MS } from '../../lib/time/day.ts';
import type { Tracer } from '../../lib/tracer.ts';
import { createProcedures } from '../../procedures/index.ts';
import type { Config } from '../configuration/settings.ts';
import type { Closing } from './closing.ts';
import { connectionShares } from './connection-shares.ts';
import { ownBootId } from './own-boot-id.ts';

/** A check asks for all facts now and then: they seldom change. */
const FACTS_EVERY_MS = 3_600_000;
/** What is under way at a stop may end its step. */
const FINISH_WITHIN_MS = 5000;

/** What the use cases have of the engine. */
export type HostPorts = Pick<Ports, 'tryAccess' | 'watchReport'>;

const NO_TRANSPORT = 'this server does not connect to hosts (transport is none)';

/** For a server that only answers requests: work is saved, and waits for others. */
export const WITHOUT_HOSTS: HostPorts = {
  tryAccess: async () => new TransportFailure('unreachable', NO_TRANSPORT),
  watchReport: async () => ({
    state: 'off',
    intervalS: 0,
    lagS: 0,
    hosts: 0,
    unreachable: 0,
    detail: NO_TRANSPORT,
  }),
};

/** Starts the engine as configured. */
export async function startHostPorts(
  config: Config,
  ports: Pick<Ports, 'store' | 'vault' | 'drivers' | 'openManager' | 'openNetwork'>,
  outside: {
    readonly transport: Transport;
    readonly clock: AlarmClock;
    readonly log: Log;
    readonly tracer: Tracer | null;
    readonly notifyOutput: (output: OutputRef) => void;
    readonly metrics: EngineMetrics;
  },
  closing: Closing,
): Promise<HostPorts> {
  const engine = await Engine.start({
    ...ports,
    ...outside,
    procedures: createProcedures({
      contactTimeoutMs: config.first_contact_timeout_s * 1000,
      retryTimeoutMs: config.bootstrap_retry_s * 1000,
    }),
    jitter: Math.random,
    ownBootId: ownBootId(),
    settings: {
      leaseMs: config.lease_s * 1000,
      checkIntervalMs: config.check_interval_s * 1000,
      factsIntervalMs: FACTS_EVERY_MS,
      connectTimeoutMs: config.ssh_connect_timeout_s * 1000,
      operationRetentionMs: config.retention_operations_days * DAY_MS,
      ...connectionShares(config.limit_ssh_connections),
    },
  });
  closing.first.add(() => engine.stop(FINISH_WITHIN_MS));
  return {
    tryAccess: (address, access, trace) => engine.testCredentials({ address, ...access }, trace),
    watchReport: () => engine.healthReport(),
  };
}
