// The outbox, the event stream and webhooks use exactly these types. No payload contains a secret.

import type { Static, TProperties } from 'typebox';
import Type from 'typebox';
import type { EventType } from '../domain/vocabulary.ts';
import { CLUSTER_STATUSES, EVENT_TYPES, eventResource, NAMED_RESOURCES, PAUSE_REASONS } from '../domain/vocabulary.ts';
import {
  boolean,
  HostState,
  HostStatus,
  integer,
  Labels,
  Maintenance,
  named,
  OperationKind,
  OperationState,
  optionalText,
  orNull,
  Role,
  Timestamp,
  text,
} from './fields.ts';

/** `meaning`: when the server emits the event. */
const payload = <Fields extends TProperties>(meaning: string, fields: Fields) =>
  Type.Object(fields, { description: meaning });

const texts = (description?: string) =>
  Type.Immutable(Type.Array(Type.String(), { ...(description !== undefined && { description }) }));

const clusterFields = { network: Type.String(), container_manager: text('empty if it has none') };
const clusterStatus = Type.Enum(CLUSTER_STATUSES);
const operationFields = { kind: OperationKind, problem: optionalText('if there is one') };
const tokenName = optionalText('the name of the enrolment token, if one was used');

export const EVENT_PAYLOADS = {
  'account.created': payload('An account was created. Only `admin` receives `account.…` events', { role: Role }),
  'account.changed': payload('The role was changed, or role and password were set', { role: Role }),
  'account.removed': payload('The account was removed', {}),
  'account.password_changed': payload('The password was changed', {}),
  'account.login_failed': payload('Logins failed', {
    account_exists: boolean(
      'only then the event names the account; `false` if the login was rejected before the lookup',
    ),
    code: text('an error code'),
    count: integer('the number of failed logins since the last such event'),
  }),
  'account.signed_in': payload('A user signed in', {
    session: text('the ID of the session, not its secret'),
    expires_at: Type.String(),
  }),
  'account.password_confirmed': payload('The password was confirmed in a session', {
    session: text('the ID of the session'),
  }),
  'account.signed_out': payload(
    'A user signed out, all sessions of the account were ended, or a new session ended the oldest one. Sessions that expire or end with a change of the account cause no event',
    { sessions: texts('the IDs of the ended sessions') },
  ),
  'cluster.created': payload('A cluster was created', clusterFields),
  'cluster.changed': payload('Its settings were changed', clusterFields),
  'cluster.members': payload('Hosts joined or left', { joined: texts('addresses'), left: texts('addresses') }),
  'cluster.policy_changed': payload('Its default policy was set', {}),
  'cluster.status': payload('Its status changed, for any reason', { from: clusterStatus, to: clusterStatus }),
  'cluster.removed': payload('The cluster was removed', {}),
  'container_manager.created': payload('A container manager was created', { type: Type.String() }),
  'container_manager.changed': payload('Its options were changed', { type: Type.String() }),
  'container_manager.removed': payload('The container manager was removed', {}),
  'container_manager.secrets_read': payload('Its secret options were read', {}),
  'data_key.rotated': payload('All secrets were encrypted with a new data key', {}),
  'host.created': payload('A host was enrolled', { remote_user: Type.String(), token: tokenName }),
  'host.status': payload('Its status changed', {
    from: HostStatus,
    to: HostStatus,
    reason: optionalText('if it is `failed` or `unreachable`'),
    in_maintenance: Type.Optional(Type.Literal(true, { description: 'if it is in maintenance' })),
  }),
  'host.credentials_changed': payload('Its credentials were replaced', { remote_user: Type.String() }),
  'host.credentials_read': payload('Its private key was read', {}),
  'host.key_accepted': payload('A changed host key was accepted', { fingerprint: Type.String() }),
  'host.labels_changed': payload('Its labels were replaced', { labels: Labels }),
  'host.maintenance_changed': payload('Its maintenance began or ended', Maintenance.properties),
  'host.removed': payload('The host was removed', {}),
  'log.pruned': payload('Old entries of the log were deleted', {
    first_id: integer('the ID of the oldest entry that still exists'),
    entries: integer('the number of deleted entries'),
  }),
  'log.tampered': payload(
    'Before deleting old entries, the server found that someone had modified them. It kept them',
    { entry: integer('the ID of the entry'), problem: Type.String() },
  ),
  'network.created': payload('A network was created', { type: Type.String() }),
  'network.changed': payload('Its options were changed', { type: Type.String() }),
  'network.removed': payload('The network was removed', {}),
  'network.secrets_read': payload('Its secret options were read', {}),
  'operation.started': payload('An operation started', {
    kind: OperationKind,
    hosts: integer('the number of hosts'),
    version: optionalText('for a deploy'),
  }),
  'operation.state': payload('It was paused or resumed, or is being cancelled', {
    ...operationFields,
    state: OperationState,
    paused_by: Type.Optional(Type.Enum(PAUSE_REASONS, { description: 'the reason, if it is paused' })),
  }),
  'operation.host': payload('One of its hosts entered another phase', {
    ...operationFields,
    state: HostState,
    attempt: Type.Integer(),
  }),
  'operation.ended': payload('The operation ended', { ...operationFields, state: OperationState }),
  'operations.paused': payload(
    'An administrator requested the pause of all operations. Until the server responds to this request, hosts can still start',
    {},
  ),
  'operations.resumed': payload('The pause of all operations ended', {}),
  'request.denied': payload('A request was rejected. Only `admin` receives `request.…` events', {
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    code: text('an error code'),
    token: tokenName,
    count: integer('the number of identical requests'),
  }),
  'request.denials_suppressed': payload('There were too many rejected requests to record each', {
    type: Type.Enum(EVENT_TYPES),
    count: Type.Integer(),
  }),
  'service.restored': payload('The store was restored from a backup. Later events have much higher IDs', {
    backup_at: text('the time of the backup'),
    cleanup_skipped: Type.Optional(
      texts('hosts that Hostler was going to remove from a network or container manager, and now does not remove'),
    ),
  }),
  'token.created': payload('An enrolment token was created. Only `admin` receives `token.…` events', {
    cluster: text('empty if it has none'),
    cidr: text('empty for any network'),
    uses: Type.Integer(),
    expires_at: Type.String(),
  }),
  'token.removed': payload('The token was removed', {}),
  'webhook.created': payload('A webhook was created. Only `admin` receives `webhook.…` events', { events: texts() }),
  'webhook.changed': payload('The webhook was changed', { events: texts() }),
  'webhook.removed': payload('The webhook was removed', {}),
  'webhook.disabled': payload(
    'Deliveries failed for `webhook_disable_after_s` (a day by default); the webhook is disabled until it is resumed',
    { problem: Type.String() },
  ),
  'webhook.resumed': payload('The webhook was resumed', {}),
} satisfies Readonly<Record<EventType, Type.TObject>>;

export type EventPayloads = { readonly [Type in EventType]: Readonly<Static<(typeof EVENT_PAYLOADS)[Type]>> };

/** No other field of these events has the name of the record. */
const eventData = (type: EventType): Type.TObject =>
  NAMED_RESOURCES.has(eventResource(type))
    ? Type.Object({ name: Type.String(), ...EVENT_PAYLOADS[type].properties })
    : EVENT_PAYLOADS[type];

const eventFields = {
  id: integer(
    'Event ID. IDs increase. They have gaps if a filter or the role of the client hides events, and after a restore from a backup.',
  ),
  at: Timestamp,
  cluster: orNull(Type.String()),
  host: orNull(Type.String()),
  operation: orNull(Type.String()),
};

/** `operation.host` becomes `OperationHostEvent`. */
const toComponentName = (type: EventType): string =>
  `${type
    .split(/[._]/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Event`;

export const EventSchema = named(
  'Event',
  Type.Union(
    EVENT_TYPES.map(type =>
      named(toComponentName(type), Type.Object({ ...eventFields, type: Type.Literal(type), data: eventData(type) })),
    ),
  ),
);

export type EventField = { [Type in EventType]: keyof EventPayloads[Type] }[EventType] | 'name';

/** `data` is untyped: a newer server can send other values. */
export type Event = Readonly<Static<Type.TObject<typeof eventFields>>> & {
  readonly type: EventType;
  readonly data: { readonly [Field in EventField]?: unknown };
};
