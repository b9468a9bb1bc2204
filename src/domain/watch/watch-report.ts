import type { WatchState } from '../vocabulary.ts';

/** The state of the health checks. The numbers are of all servers; `partitioned` is the state of this server only. */
export interface WatchReport {
  readonly state: WatchState;
  /** How often each host is checked; 0: none is. */
  readonly intervalS: number;
  /** How much later than it should have been the check is that is due the longest. */
  readonly lagS: number;
  /** How many hosts are watched. */
  readonly hosts: number;
  /** How many of them do not answer. */
  readonly unreachable: number;
  /** What to know or to do, for people; `''` when all is well. */
  readonly detail: string;
}
