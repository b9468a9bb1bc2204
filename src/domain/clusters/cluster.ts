import type { RecordName } from '../record-name.ts';
import type { HostStatus } from '../vocabulary.ts';

export interface Cluster {
  readonly name: RecordName;
  readonly network: RecordName;
  readonly containerManager: RecordName | null;
  /** New with every change of the settings (not of the members); the record's ETag. */
  readonly revision: string;
}

/**
 * How many members have each status; a status that is not named has none. Those that would be active, but that people have taken out
 * of service, are counted apart.
 */
export type MemberCounts = Readonly<Partial<Record<HostStatus | 'in_maintenance', number>>>;

export interface ClusterWithCounts extends Cluster {
  readonly members: MemberCounts;
}
