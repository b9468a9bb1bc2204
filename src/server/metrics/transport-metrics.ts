import type { TransportFailureKind } from '../../domain/transport-failure.ts';
import { TRANSPORT_FAILURE_KINDS, TransportFailure } from '../../domain/transport-failure.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import { TRANSPORT_TYPES } from '../../drivers/transport/transport.ts';
import { observeTransport } from '../../engine/observe-transport.ts';
import { stopwatch } from '../../lib/time/clock.ts';
import { counter, gauge, histogram, LONG_BUCKETS } from './metric.ts';
import type { Registry } from './registry.ts';

/** The label of a transport that replaces the configured one, as in the demo. */
export const INJECTED_TRANSPORT = 'injected';

const TRANSPORT_LABELS = [...TRANSPORT_TYPES, INJECTED_TRANSPORT];

export const TRANSPORT_METRICS = {
  connects: counter('hostler_ssh_connects_total', 'Attempts to connect and log in to hosts, by result.', {
    transport: TRANSPORT_LABELS,
    result: ['ok', ...TRANSPORT_FAILURE_KINDS],
  }),
  connectDuration: histogram(
    'hostler_ssh_connect_duration_seconds',
    'Duration of attempts to connect and log in to hosts, with any result.',
    LONG_BUCKETS,
    { transport: TRANSPORT_LABELS },
  ),
  connections: gauge('hostler_ssh_connections', 'Open connections to hosts.', { transport: TRANSPORT_LABELS }),
  commands: counter(
    'hostler_ssh_commands_total',
    'Commands over SSH, by result. For jobs, the commands that start and poll the job are counted, not the job itself.',
    { transport: TRANSPORT_LABELS, result: ['ok', 'nonzero', ...TRANSPORT_FAILURE_KINDS] },
  ),
  commandDuration: histogram(
    'hostler_ssh_command_duration_seconds',
    'Duration of commands over SSH, with any result.',
    LONG_BUCKETS,
    { transport: TRANSPORT_LABELS },
  ),
};

export interface TransportMetrics {
  connected(transport: string, result: 'ok' | TransportFailureKind, seconds: number): void;
  disconnected(transport: string): void;
  /** `nonzero`: the command exited with a nonzero code. */
  commandEnded(transport: string, result: 'ok' | 'nonzero' | TransportFailureKind, seconds: number): void;
}

export function createTransportMetrics(registry: Registry): TransportMetrics {
  const { connects, connectDuration, connections, commands, commandDuration } = registry.create(TRANSPORT_METRICS);
  for (const type of TRANSPORT_LABELS) connections.set(0, type);
  return {
    connected: (type, result, seconds) => {
      connects.add(1, type, result);
      connectDuration.observe(seconds, type);
      if (result === 'ok') connections.add(1, type);
    },
    disconnected: type => connections.add(-1, type),
    commandEnded: (type, result, seconds) => {
      commands.add(1, type, result);
      commandDuration.observe(seconds, type);
    },
  };
}

export const measureTransport = (type: string, transport: Transport, metrics: TransportMetrics): Transport =>
  observeTransport(transport, {
    async connect(_target, call) {
      const seconds = stopwatch();
      const result = await call();
      metrics.connected(type, result instanceof TransportFailure ? result.kind : 'ok', seconds());
      return result;
    },
    async run(_target, _argv, call) {
      const seconds = stopwatch();
      const result = await call();
      const outcome = result instanceof TransportFailure ? result.kind : result.exitCode === 0 ? 'ok' : 'nonzero';
      metrics.commandEnded(type, outcome, seconds());
      return result;
    },
    closed: () => metrics.disconnected(type),
  });
