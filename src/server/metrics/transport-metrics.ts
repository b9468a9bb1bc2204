import { FAILURE_KINDS } from '../../domain/transport-failure.ts';
import { TRANSPORT_TYPES } from '../../drivers/transport/known-transports.ts';
import type { TransportMeter } from '../../drivers/transport/measured-transport.ts';
import { counter, gauge, histogram, LONG_S } from './metric.ts';
import type { Registry } from './registry.ts';

/** Of what was given in the place of a configured one, as the demo does. */
export const GIVEN_TRANSPORT = 'given';

const transport = [...TRANSPORT_TYPES, GIVEN_TRANSPORT];

export const TRANSPORT_METRICS = {
  connects: counter(
    'hostler_ssh_connects_total',
    'Tries to connect to hosts and log in, by what came of them.',
    { transport, result: ['ok', ...FAILURE_KINDS] },
  ),
  connectDuration: histogram(
    'hostler_ssh_connect_duration_seconds',
    'How long tries to connect took, whatever came of them.',
    LONG_S,
    { transport },
  ),
  connections: gauge('hostler_ssh_connections', 'Connections to hosts that are open now.', { transport }),
  commands: counter(
    'hostler_ssh_commands_total',
    'Commands over SSH, by what came of them; of a job what starts it and looks at it, not the job.',
    {
      transport,
      result: ['ok', 'nonzero', ...FAILURE_KINDS],
    },
  ),
  commandDuration: histogram(
    'hostler_ssh_command_duration_seconds',
    'How long commands on hosts took, whatever came of them.',
    LONG_S,
    { transport },
  ),
};

export function transportMeter(registry: Registry): TransportMeter {
  const connects = registry.counter(TRANSPORT_METRICS.connects);
  const connectDuration = registry.histogram(TRANSPORT_METRICS.connectDuration);
  const connections = registry.gauge(TRANSPORT_METRICS.connections);
  const commands = registry.counter(TRANSPORT_METRICS.commands);
  const commandDuration = registry.histogram(TRANSPORT_METRICS.commandDuration);
  for (const type of transport) connections.set(0, type);
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
