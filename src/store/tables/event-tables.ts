import type { Generated } from 'kysely';
import type { RecordName } from '../../domain/record-name.ts';
import type { Sealed } from '../../domain/secret.ts';
import type { ClusterStatus, EventType } from '../../domain/vocabulary.ts';

/** What happened: columns that the outbox and the log share. */
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

export interface OutboxTable extends EventColumns {
  id: Generated<number>;
}

export interface LogTable extends EventColumns {
  id: number;
  hash: string;
}

/** One row. */
export interface LogStateTable {
  id: number;
  last_id: number;
  last_hash: string;
  /** The oldest that is kept, or that will be. */
  first_id: number;
  /** Whoever is at an earlier position than the one before this cannot be told all that came after. */
  first_readable_id: number;
  /** Where the log was cut off, signed; null: it never was. */
  prune_point_json: string | null;
}

/** One row: what the chain is keyed with. */
export interface LogKeysTable {
  id: number;
  sealed_key: Sealed;
}

/** The status of each cluster that was told last. */
export interface ClusterStatusesTable {
  cluster: RecordName;
  status: ClusterStatus;
}

/** Times in it are milliseconds of the store's clock, where they are numbers. */
export interface WebhooksTable {
  name: RecordName;
  sealed_url: Sealed;
  sealed_secret: Sealed;
  /** Which types of events are wanted. */
  events_json: string;
  revision: string;
  created_at: string;
  /** The last event that it is done with: delivered, or not wanted. */
  position: number;
  /** How often the next one was tried. */
  attempts: Generated<number>;
  /** When it is tried again. */
  due_at: Generated<number>;
  /** Since when it fails; null: it does not. */
  failing_since: number | null;
  problem: Generated<string>;
  /** Since when nothing is sent any more; null: it is not disabled. */
  disabled_at: string | null;
  delivered_id: number | null;
  delivered_at: string | null;
  /** Until when a server has it; 0: none. */
  claimed_until: Generated<number>;
  /** Rises with every server that takes it, and with every change. */
  fence: Generated<number>;
}
