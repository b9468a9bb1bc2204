import type { TObject } from 'typebox';
import type { ConnectionPool } from '../integrations/http/connection-pool.ts';

/** A driver that is configured with records in the database. */
export interface RecordDriver {
  readonly type: string;
  readonly summary: string;
  /** Schema of the options of a record. Properties with `secret: true` are stored encrypted. */
  readonly options: TObject;
  /** Options that identify the server or network, with their defaults. They cannot change while a cluster uses it. */
  readonly immutableOptions?: Readonly<Record<string, unknown>>;
}

export interface RecordContext<Options> {
  readonly name: string;
  /** Validated, so a driver declares the static type of its schema. Secrets are in plain text. */
  readonly options: Options;
  readonly connections: ConnectionPool;
  /** Checked before each request. Returns false after this server has lost its lease. */
  readonly mayProceed: () => boolean;
}
