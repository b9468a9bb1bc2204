import type { Address } from '../addresses/address.ts';
import type { ErrorCode } from '../errors.ts';
import type { Labels } from '../hosts/labels.ts';
import type { Maintenance } from '../hosts/maintenance.ts';
import type { RecordName } from '../record-name.ts';
import type {
  ClusterStatus,
  EventType,
  HostState,
  HostStatus,
  OperationKind,
  OperationState,
  PauseReason,
  Role,
} from '../vocabulary.ts';

type Nothing = Readonly<Record<string, never>>;

type OfAccount = {
  readonly role: Role;
};

type OfCluster = {
  readonly network: RecordName;
  /** Empty: none. */
  readonly container_manager: string;
};

type OfDriverRecord = {
  readonly type: string;
};

type OfOperation = {
  readonly kind: OperationKind;
  readonly problem?: string;
};

type OfToken = {
  /** Empty: none. */
  readonly cluster: string;
  /** Empty: any network. */
  readonly cidr: string;
  readonly uses: number;
  readonly expires_at: string;
};

type OfWebhook = {
  readonly events: readonly string[];
};

/** What is told with each type, in the words of the wire: it is kept and answered as it stands. Never a secret. */
interface Told {
  'account.created': OfAccount;
  'account.changed': OfAccount;
  'account.removed': Nothing;
  'account.password_changed': Nothing;
  'account.login_failed': {
    /** Whether the account exists: only then the event names it. `false` if the login was rejected before the lookup. */
    readonly account_exists: boolean;
    readonly code: ErrorCode;
    readonly count: number;
  };
  'account.signed_in': {
    /** The id of a session; nobody is let in by it. */
    readonly session: string;
    readonly expires_at: string;
  };
  'account.password_confirmed': {
    /** The ID of the session in which the password was confirmed. */
    readonly session: string;
  };
  'account.signed_out': {
    /** The ids of the sessions that have ended. */
    readonly sessions: readonly string[];
  };
  'cluster.created': OfCluster;
  'cluster.changed': OfCluster;
  'cluster.members': { readonly joined: readonly Address[]; readonly left: readonly Address[] };
  'cluster.policy_changed': Nothing;
  'cluster.status': { readonly from: ClusterStatus; readonly to: ClusterStatus };
  'cluster.removed': Nothing;
  'container_manager.created': OfDriverRecord;
  'container_manager.changed': OfDriverRecord;
  'container_manager.removed': Nothing;
  'container_manager.secrets_read': Nothing;
  'data_key.rotated': Nothing;
  'host.created': {
    readonly remote_user: string;
    /** The name of the enrolment token that let it in. */
    readonly token?: RecordName;
  };
  'host.status': {
    readonly from: HostStatus;
    readonly to: HostStatus;
    readonly reason?: string;
    /** People work on it: no reason for an alarm. */
    readonly in_maintenance?: true;
  };
  'host.credentials_changed': { readonly remote_user: string };
  'host.key_accepted': { readonly fingerprint: string };
  'host.labels_changed': { readonly labels: Labels };
  'host.maintenance_changed': Maintenance;
  'host.removed': Nothing;
  'host.credentials_read': Nothing;
  'log.pruned': { readonly first_id: number; readonly entries: number };
  'log.tampered': { readonly entry: number; readonly problem: string };
  'network.created': OfDriverRecord;
  'network.changed': OfDriverRecord;
  'network.removed': Nothing;
  'network.secrets_read': Nothing;
  'operation.started': { readonly kind: OperationKind; readonly version?: string; readonly hosts: number };
  'operation.state': OfOperation & { readonly state: OperationState; readonly paused_by?: PauseReason };
  'operation.host': OfOperation & { readonly state: HostState; readonly attempt: number };
  'operation.ended': OfOperation & { readonly state: OperationState };
  'operations.paused': Nothing;
  'operations.resumed': Nothing;
  'request.denied': {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly code: ErrorCode;
    /** The name of the enrolment token of whoever asked. */
    readonly token?: RecordName;
    /** Number of identical requests that this event stands for. */
    readonly count: number;
  };
  'request.denials_suppressed': { readonly type: EventType; readonly count: number };
  'service.restored': {
    /** The newest time that the backup knows. */
    readonly backup_at: string;
    /** These were to be taken out of something, and are not any more. */
    readonly cleanup_skipped?: readonly Address[];
  };
  'token.created': OfToken;
  'token.removed': Nothing;
  'webhook.created': OfWebhook;
  'webhook.changed': OfWebhook;
  'webhook.removed': Nothing;
  'webhook.disabled': { readonly problem: string };
  'webhook.resumed': Nothing;
}

interface About<Type extends EventType> {
  readonly type: Type;
  /** The name, address or id of the record it happened to. */
  readonly subject: string;
  readonly cluster?: RecordName | null;
  readonly host?: Address;
  /** The id of an operation. */
  readonly operation?: string;
}

type WithData<Type extends EventType> = Told[Type] extends Nothing ? unknown : { readonly data: Told[Type] };

/** Something that happens to a record, as use cases tell it. */
export type Happening = { [Type in EventType]: About<Type> & WithData<Type> }[EventType];
