import type { Lease } from '../lease.ts';
import type { TurnPorts } from '../ports.ts';
import type { CheckBatch } from './check-batch.ts';
import type { Sight } from './sight.ts';

/** What checks stand on. */
export interface Watch {
  readonly ports: TurnPorts;
  readonly lease: Lease;
  readonly batch: CheckBatch;
  readonly sight: Sight;
}
