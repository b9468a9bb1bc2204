import type { Generated } from 'kysely';
import type { Address } from '../../domain/addresses/address.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Assessment, InternalPauseReason } from '../../domain/rollout/operation.ts';
import type { AbortReason, HostPhase, OperationKind, OperationState, SkipReason } from '../../domain/vocabulary.ts';

export interface OperationTables {
  idempotency_keys: { cluster: RecordName; key: string; operation: string };
  operation_hosts: {
    operation: string;
    host: Address;
    enrolment: string;
    position: number;
    is_control_plane: Generated<number>;
    phase: Generated<HostPhase>;
    is_staged: Generated<number>;
    is_unreachable: Generated<number>;
    abort_reason: AbortReason | null;
    holds_slot: Generated<number>;
    is_cordoned: Generated<number>;
    attempt: Generated<number>;
    skip_reason: SkipReason | null;
    /** The host waits for permission to reboot. */
    awaits_clearance: Generated<number>;
    /** The permission to reboot expires at this time, in milliseconds of the store's clock. */
    cleared_until: number | null;
    is_already_there: Generated<number>;
    problem: Generated<string>;
    stage_result_json: Generated<string>;
    phases_json: Generated<string>;
    started_at: string | null;
    finished_at: string | null;
  };
  operation_output: {
    operation: string;
    host: Address;
    attempt: number;
    step: string;
    output: string;
    last_lines: string;
    at: string;
  };
  operations: {
    sequence: Generated<number>;
    id: string;
    kind: OperationKind;
    cluster: RecordName;
    version: string;
    policy_json: string;
    policy_input_json: string;
    state: OperationState;
    pause_reason: InternalPauseReason | null;
    problem: Generated<string>;
    host_count: number;
    /** Failed hosts that a user knew of when requesting a resume, retry or skip. Added to `max_failures` for the start of further hosts. */
    acknowledged_failures: Generated<number>;
    /**
     * The acknowledged failures that a resume accepted. Added to `max_failures` when the operation ends as
     * finished or failed. A retry accepts none.
     */
    accepted_failures: Generated<number>;
    assessment: Generated<Assessment>;
    blocked_since: number | null;
    ignored_hosts_json: Generated<string>;
    started_by: string;
    started_at: string;
    finished_at: string | null;
    is_open: number;
    /** The cluster was removed. A cluster with the same name is a different one. */
    is_cluster_removed: Generated<number>;
    /** When the operation must be reconciled, in milliseconds of the store's clock. */
    due_at: number | null;
    trace: Generated<string>;
  };
}
