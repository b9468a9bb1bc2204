import type { Happening } from '../../domain/events/happening.ts';
import type { ClusterOperation } from '../../domain/rolling/operation.ts';
import type { Records } from '../../store/records.ts';

/** A decision that is being made. */
export interface OpenDecision {
  readonly records: Records;
  readonly operation: ClusterOperation;
  /** The store's clock. */
  readonly nowMs: number;
}

/** One that is made, and has to be written. */
export interface DecisionChange extends OpenDecision {
  readonly at: string;
  /** Until when the answers of other members count, by the store's clock. */
  readonly freshUntilMs: number;
  tell(happenings: readonly Happening[]): Promise<void>;
}
