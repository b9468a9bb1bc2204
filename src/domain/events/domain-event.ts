import type { Actor } from '../accounts/account.ts';
import type { Address } from '../addresses/address.ts';
import type { ErrorCode } from '../errors.ts';
import type { Labels, Maintenance } from '../hosts/host.ts';
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

type NoPayload = Readonly<Record<string, never>>;

type AccountPayload = {
  readonly role: Role;
};

type ClusterPayload = {
  readonly network: RecordName;
  /** Empty: none. */
  readonly container_manager: string;
};

type DriverRecordPayload = {
  readonly type: string;
};

type OfOperation = {
  readonly kind: OperationKind;
  readonly problem?: string;
};

type TokenPayload = {
  /** Empty: none. */
  readonly cluster: string;
  /** Empty: any network. */
  readonly cidr: string;
  readonly uses: number;
  readonly expires_at: string;
};

type WebhookPayload = {
  readonly events: readonly string[];
};

/** The payload of each event type, in wire format: stored and returned unchanged. Never contains a secret. */
interface EventPayloads {
  'account.created': AccountPayload;
  'account.changed': AccountPayload;
  'account.removed': NoPayload;
  'account.password_changed': NoPayload;
  'account.login_failed': {
    /**
     * Whether the account exists: only then the event names it. `false` if the login was rejected before the lookup.
     */
    readonly account_exists: boolean;
    readonly code: ErrorCode;
    readonly count: number;
  };
  'account.signed_in': {
    /** The session ID, which is not a credential. */
    readonly session: string;
    readonly expires_at: string;
  };
  'account.password_confirmed': {
    /** The ID of the session in which the password was confirmed. */
    readonly session: string;
  };
  'account.signed_out': {
    /** The IDs of the ended sessions. */
    readonly sessions: readonly string[];
  };
  'cluster.created': ClusterPayload;
  'cluster.changed': ClusterPayload;
  'cluster.members': { readonly joined: readonly Address[]; readonly left: readonly Address[] };
  'cluster.policy_changed': NoPayload;
  'cluster.status': { readonly from: ClusterStatus; readonly to: ClusterStatus };
  'cluster.removed': NoPayload;
  'container_manager.created': DriverRecordPayload;
  'container_manager.changed': DriverRecordPayload;
  'container_manager.removed': NoPayload;
  'container_manager.secrets_read': NoPayload;
  'data_key.rotated': NoPayload;
  'host.created': {
    readonly remote_user: string;
    /** The name of the enrolment token that enrolled the host. */
    readonly token?: RecordName;
  };
  'host.status': {
    readonly from: HostStatus;
    readonly to: HostStatus;
    readonly reason?: string;
    /** The host is in maintenance, so the change needs no alert. */
    readonly in_maintenance?: true;
  };
  'host.credentials_changed': { readonly remote_user: string };
  'host.key_accepted': { readonly fingerprint: string };
  'host.labels_changed': { readonly labels: Labels };
  'host.maintenance_changed': Maintenance;
  'host.removed': NoPayload;
  'host.credentials_read': NoPayload;
  'log.pruned': { readonly first_id: number; readonly entries: number };
  'log.tampered': { readonly entry: number; readonly problem: string };
  'network.created': DriverRecordPayload;
  'network.changed': DriverRecordPayload;
  'network.removed': NoPayload;
  'network.secrets_read': NoPayload;
  'operation.started': { readonly kind: OperationKind; readonly version?: string; readonly hosts: number };
  'operation.state': OfOperation & { readonly state: OperationState; readonly paused_by?: PauseReason };
  'operation.host': OfOperation & { readonly state: HostState; readonly attempt: number };
  'operation.ended': OfOperation & { readonly state: OperationState };
  'operations.paused': NoPayload;
  'operations.resumed': NoPayload;
  'request.denied': {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly code: ErrorCode;
    /** The name of the client's enrolment token. */
    readonly token?: RecordName;
    /** Number of identical requests that this event stands for. */
    readonly count: number;
  };
  'request.denials_suppressed': { readonly type: EventType; readonly count: number };
  'service.restored': {
    /** The latest time recorded in the backup. */
    readonly backup_at: string;
    /** Hosts whose pending leave tasks were dropped by the restore. */
    readonly cleanup_skipped?: readonly Address[];
  };
  'token.created': TokenPayload;
  'token.removed': NoPayload;
  'webhook.created': WebhookPayload;
  'webhook.changed': WebhookPayload;
  'webhook.removed': NoPayload;
  'webhook.disabled': { readonly problem: string };
  'webhook.resumed': NoPayload;
}

interface EventHeader<Type extends EventType> {
  readonly type: Type;
  /** The name, address or ID of the affected record. */
  readonly subject: string;
  readonly cluster?: RecordName | null;
  readonly host?: Address;
  /** An operation ID. */
  readonly operation?: string;
}

type PayloadOf<Type extends EventType> = EventPayloads[Type] extends NoPayload
  ? unknown
  : { readonly data: EventPayloads[Type] };

export type DomainEvent = { [Type in EventType]: EventHeader<Type> & PayloadOf<Type> }[EventType];

export interface OutboxEntry {
  readonly type: EventType;
  /** The name, address or ID of the affected record. */
  readonly subject: string;
  readonly actor: string;
  readonly address: string;
  readonly requestId: string;
  readonly at: string;
  readonly cluster: string | null;
  readonly host: string | null;
  /** An operation ID. */
  readonly operation: string | null;
  /** A JSON object without secrets. Stored as text, because the hash chain of the log covers these exact bytes. */
  readonly dataJson: string;
}

/** An entry that is not in the log yet. */
export interface PendingOutboxEntry extends OutboxEntry {
  readonly outboxId: number;
}

export const toOutboxEntry = (event: DomainEvent, { account, address, requestId }: Actor, at: string): OutboxEntry => ({
  type: event.type,
  subject: event.subject,
  actor: account,
  address,
  requestId,
  at,
  cluster: event.cluster ?? null,
  host: event.host ?? null,
  operation: event.operation ?? null,
  dataJson: JSON.stringify('data' in event ? event.data : {}),
});
