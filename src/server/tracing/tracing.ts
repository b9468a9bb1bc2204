import type { Tracer } from '../../lib/tracer.ts';

export interface Tracing {
  /** null: nothing is traced. */
  readonly tracer: Tracer | null;
  /** Sends what was not sent yet, if that takes no longer than a second. */
  stop(): Promise<void>;
}
