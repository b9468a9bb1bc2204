import type { ClusterWithCounts } from '../clusters/cluster.ts';
import type { HostStatus } from '../vocabulary.ts';

/** All there is, in numbers. */
export interface Overview {
  /** How many hosts have each status; a status that is not named has none. */
  readonly hosts: Readonly<Partial<Record<HostStatus, number>>>;
  /** How many of them, in any status, people have taken out of service. */
  readonly inMaintenance: number;
  /** By name. */
  readonly clusters: readonly ClusterWithCounts[];
  readonly openOperations: number;
}
