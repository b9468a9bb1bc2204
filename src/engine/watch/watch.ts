import type { Lease } from '../lease.ts';
import type { TurnPorts } from '../ports.ts';
import type { CheckBatch } from './check-batch.ts';
import type { PartitionDetector } from './partition-detector.ts';

/** What checks stand on. */
export interface Watch {
  readonly ports: TurnPorts;
  readonly lease: Lease;
  readonly batch: CheckBatch;
  readonly partition: PartitionDetector;
  /** Whether another live server reaches its hosts. */
  readonly isAnotherConnected: () => boolean;
}
