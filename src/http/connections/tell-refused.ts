import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { ConnectionMeter } from './limit-connections.ts';

/** Whoever floods the service must not flood its log. */
const TELL_EVERY_MS = 60_000;

/** The same meter; operators are also told of connections that are refused, by a line a minute at most. */
export function tellRefused(meter: ConnectionMeter, log: Log, clock: Clock): ConnectionMeter {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let refusedSince = 0;
  return {
    ...meter,
    refused: (limit, address) => {
      meter.refused(limit, address);
      refusedSince += 1;
      if (clock.monotonicMs() - toldAtMs < TELL_EVERY_MS) return;
      toldAtMs = clock.monotonicMs();
      log.warn(
        { limit, address, rejected: refusedSince },
        'connections rejected: limit_http_connections is reached',
      );
      refusedSince = 0;
    },
  };
}
