// Only this folder uses OpenTelemetry, and it is loaded only if `trace_endpoint` is set. Invariant: nothing
// waits for the endpoint, except the last second of a shutdown.

import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Config } from '../configuration/settings.ts';
import type { Tracing } from './open-telemetry.ts';

const DISABLED_TRACING: Tracing = { tracer: null, stop: async () => {} };

export async function startTracing(
  { trace_endpoint: endpoint, trace_headers: headers }: Pick<Config, 'trace_endpoint' | 'trace_headers'>,
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Log, 'info' | 'warn'> },
): Promise<Tracing> {
  if (endpoint === undefined) return DISABLED_TRACING;
  const { startOpenTelemetry } = await import('./open-telemetry.ts');
  return startOpenTelemetry({ endpoint, headers: headers ?? {}, clock, log });
}
