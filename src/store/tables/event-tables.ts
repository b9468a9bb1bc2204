import type { Generated } from 'kysely';
import type { RecordName } from '../../domain/record-name.ts';
import type { Sealed } from '../../domain/secret.ts';
import type { EventType } from '../../domain/vocabulary.ts';

interface EventColumns {
  type: EventType;
  subject: string;
  actor: string;
  address: string;
  request_id: string;
  at: string;
  cluster: string | null;
  host: string | null;
  operation: string | null;
  data_json: string;
}

export interface EventTables {
  outbox: EventColumns & {
    id: Generated<number>;
  };
  log: EventColumns & {
    id: number;
    hash: string;
  };
  log_state: {
    id: number;
    last_id: number;
    last_hash: string;
    /** The id of the oldest entry, or of the next one if the log is empty. */
    first_id: number;
    /** A reader at a position before `first_readable_id - 1` has lost events. */
    first_readable_id: number;
    /** The signed prune point. Null: the log was never pruned. */
    prune_point_json: string | null;
  };
  /** One row: the key of the hash chain. */
  log_keys: { id: number; sealed_key: Sealed };
  /** Numeric times are milliseconds of the store's clock. */
  webhooks: {
    name: RecordName;
    sealed_url: Sealed;
    sealed_secret: Sealed;
    events_json: string;
    revision: string;
    created_at: string;
    /** The last event that was delivered or skipped. */
    position: number;
    attempts: Generated<number>;
    due_at: Generated<number>;
    /** Null: the last delivery succeeded. */
    failing_since: number | null;
    problem: Generated<string>;
    /** Null: enabled. */
    disabled_at: string | null;
    delivered_id: number | null;
    delivered_at: string | null;
    /** 0: not claimed. */
    claimed_until: Generated<number>;
    /** Increases with every claim and every change. */
    fence: Generated<number>;
  };
}
