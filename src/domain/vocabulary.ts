// All enumerated values. Driver types are not here: they are checked against the driver registry, so a new driver
// changes no list.

export const NAME_PATTERN = '[A-Za-z0-9_-]{1,128}';
export const NAME_MESSAGE = 'must be 1 to 128 characters of A–Z a–z 0–9 _ -';

/** As in Kubernetes. */
export const LABEL_KEY_PATTERN = '[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?';
export const LABEL_KEY_MESSAGE =
  'must be 1 to 63 characters of A–Z a–z 0–9 . _ / -, with a letter or digit at both ends';
export const LABEL_VALUE_PATTERN = '(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?';
export const LABEL_VALUE_MESSAGE =
  'must be up to 63 characters of A–Z a–z 0–9 . _ -, with a letter or digit at both ends, or empty';
export const MAX_LABELS = 64;

/** In characters. A longer password does not fit into a request header. */
export const MAX_PASSWORD_LENGTH = 2048;

export const ROLES = ['admin', 'operator', 'viewer', 'enrol'] as const;
export type Role = (typeof ROLES)[number];

export const HOST_STATUSES = [
  'investigating',
  'bootstrapping',
  'active',
  'disassociated',
  'failed',
  'unreachable',
] as const;
export type HostStatus = (typeof HOST_STATUSES)[number];

/** Hosts with these statuses have a reason. */
export const UNHEALTHY_STATUSES: readonly HostStatus[] = ['unreachable', 'failed'];

/** The bootstrap is not complete. */
export const PENDING_STATUSES: readonly HostStatus[] = ['investigating', 'bootstrapping'];

/** See `docs/reference/host-reasons.md`. */
export const HOST_REASONS = [
  'unreachable',
  'timed_out',
  'auth_rejected',
  'no_shell',
  'host_key_changed',
  'unsupported_os',
  'permanent_failure',
  'missing_program',
  'not_ready_yet',
  'not_registered',
  'not_root',
  'command_failed',
  'command_interrupted',
  'still_running',
  'not_started',
  'run_not_writable',
  'run_folder_unsafe',
  'proc_not_readable',
  'unexpected_output',
  'network',
  'packages_not_supported',
  'container_manager',
  'secret_damaged',
  'internal_error',
  'rebooting',
] as const;
export type HostReason = (typeof HOST_REASONS)[number];

/** No OS driver supports the host. Other values come from a driver. */
export const OTHER_OS = 'other';

/** `partitioned`: most hosts stopped responding at the same time, so this server has probably lost its network. */
export const HEALTH_CHECKER_STATES = ['off', 'ok', 'lagging', 'partitioned'] as const;
export type HealthCheckerState = (typeof HEALTH_CHECKER_STATES)[number];

/** `unreachable`: no response. `failed`: the host responded, but is not healthy. */
export const HEALTH_CHECK_RESULTS = ['passed', 'unreachable', 'failed'] as const;
export type HealthCheckResult = (typeof HEALTH_CHECK_RESULTS)[number];

/** Replaces a secret option in responses to users who may not read it. Never accepted as a value. */
export const REDACTED_OPTION = '(hidden)';

export const TASK_KINDS = ['bootstrap', 'join', 'leave', 'stage', 'rollout'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export const OPERATION_KINDS = ['restart', 'upgrade', 'deploy'] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** For the transitions see `rollout/operation.ts`. */
export const OPERATION_STATES = [
  'planned',
  'running',
  'paused',
  'cancelling',
  'finished',
  'failed',
  'cancelled',
] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

/** `status` in the records of restart, upgrade and deploy. */
export const RECORD_STATUSES = ['in_process', 'finished', 'failed', 'cancelled'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];

export const RECORD_STATUS_OF_STATE: Readonly<Record<OperationState, RecordStatus>> = {
  planned: 'in_process',
  running: 'in_process',
  paused: 'in_process',
  cancelling: 'in_process',
  finished: 'finished',
  failed: 'failed',
  cancelled: 'cancelled',
};

export const PAUSE_REASONS = ['manual', 'failures', 'window', 'budget', 'partitioned'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export const OPERATION_ID_PATTERN = '[A-Za-z0-9_-]{1,64}';

export const OPERATION_ACTIONS = ['pause', 'resume', 'cancel', 'retry', 'skip'] as const;
export type OperationAction = (typeof OPERATION_ACTIONS)[number];

/** For the transitions see `rollout/operation-host.ts`. */
export const HOST_PHASES = [
  'pending',
  'preflight',
  'staging',
  'cordoning',
  'draining',
  'applying',
  'armed',
  'rebooting',
  'verifying',
  'uncordoning',
  'done',
  'failed',
  'skipped',
] as const;
export type HostPhase = (typeof HOST_PHASES)[number];

/** Only a host in flight uses a slot of the budget. */
export type PhaseGroup = 'waiting' | 'preparing' | 'in_flight' | 'ended';

/** What the history of a host in an operation lists. A host is `queued` from the end of `staging` until it gets a slot. */
export const RECORDED_PHASES = [...HOST_PHASES, 'queued'] as const;
export type RecordedPhase = (typeof RECORDED_PHASES)[number];

export const PHASE_GROUPS: Readonly<Record<RecordedPhase, PhaseGroup>> = {
  pending: 'waiting',
  preflight: 'preparing',
  staging: 'preparing',
  queued: 'waiting',
  cordoning: 'in_flight',
  draining: 'in_flight',
  applying: 'in_flight',
  armed: 'in_flight',
  rebooting: 'in_flight',
  verifying: 'in_flight',
  uncordoning: 'in_flight',
  done: 'ended',
  failed: 'ended',
  skipped: 'ended',
};

/** As shown to users. `unreachable` replaces the phase of a host that does not respond. */
export const OPERATION_HOST_STATES = [...RECORDED_PHASES, 'unreachable'] as const;
export type OperationHostState = (typeof OPERATION_HOST_STATES)[number];

export const SKIP_REASONS = ['left_cluster', 'cancelled', 'by_hand', 'unhealthy'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
/** Why the task of a host in flight is asked to stop. */
export type AbortReason = Extract<SkipReason, 'cancelled' | 'by_hand'>;

const UNAVAILABLE_STATUSES = ['unreachable', 'failed', 'investigating', 'bootstrapping', 'disassociated'] as const;
export const OUTAGE_REASONS = ['maintenance', ...UNAVAILABLE_STATUSES] as const;
export type OutageReason = (typeof OUTAGE_REASONS)[number];

export const UNHEALTHY_MODES = ['count', 'exclude'] as const;
export type UnhealthyMode = (typeof UNHEALTHY_MODES)[number];

export const REBOOT_MODES = ['if_needed', 'always', 'never'] as const;
export type RebootMode = (typeof REBOOT_MODES)[number];

export const ON_FAILURE_ACTIONS = ['fail', 'pause'] as const;
export type OnFailureAction = (typeof ON_FAILURE_ACTIONS)[number];

export const DRAIN_TIMEOUT_ACTIONS = ['fail', 'force'] as const;
export type DrainTimeoutAction = (typeof DRAIN_TIMEOUT_ACTIONS)[number];

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const CLUSTER_STATUSES = ['ok', 'degraded', 'failed'] as const;
export type ClusterStatus = (typeof CLUSTER_STATUSES)[number];

/**
 * Each event is written to the outbox in the transaction of its change, except denied requests, which change nothing.
 */
export const EVENT_TYPES = [
  'account.created',
  'account.changed',
  'account.removed',
  'account.password_changed',
  'account.login_failed',
  'account.signed_in',
  'account.password_confirmed',
  'account.signed_out',
  'cluster.created',
  'cluster.changed',
  'cluster.members',
  'cluster.policy_changed',
  'cluster.status',
  'cluster.removed',
  'container_manager.created',
  'container_manager.changed',
  'container_manager.removed',
  'container_manager.secrets_read',
  'data_key.rotated',
  'host.created',
  'host.status',
  'host.credentials_changed',
  'host.credentials_read',
  'host.key_accepted',
  'host.labels_changed',
  'host.maintenance_changed',
  'host.removed',
  'log.pruned',
  'log.tampered',
  'network.created',
  'network.changed',
  'network.removed',
  'network.secrets_read',
  'operation.started',
  'operation.state',
  'operation.host',
  'operation.ended',
  'operations.paused',
  'operations.resumed',
  'request.denied',
  'request.denials_suppressed',
  'service.restored',
  'token.created',
  'token.removed',
  'webhook.created',
  'webhook.changed',
  'webhook.removed',
  'webhook.disabled',
  'webhook.resumed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

type ResourceIn<Type> = Type extends `${infer Resource}.${string}` ? Resource : string;

export type EventResource = ResourceIn<EventType>;

/** Also accepts types that only a newer server knows. */
export const eventResource = <Type extends string>(type: Type): ResourceIn<Type> =>
  type.slice(0, type.indexOf('.')) as ResourceIn<Type>;

/** `request`: caused by a request, by a user or a program. `system`: recorded by the server itself. */
export const EVENT_ORIGINS = ['request', 'system'] as const;
export type EventOrigin = (typeof EVENT_ORIGINS)[number];

export const ADMIN_ONLY_RESOURCES: ReadonlySet<string> = new Set<EventResource>([
  'account',
  'request',
  'token',
  'webhook',
]);

/** No other field of their events has the name of the record, so `data` has it. */
export const NAMED_RESOURCES: ReadonlySet<EventResource> = new Set([
  'account',
  'container_manager',
  'network',
  'token',
  'webhook',
]);

export const TOKEN_STATES = ['active', 'exhausted', 'expired'] as const;
export type TokenState = (typeof TOKEN_STATES)[number];

/** `disabled`: nothing is sent until an administrator resumes or changes the webhook. */
export const WEBHOOK_STATES = ['active', 'failing', 'disabled'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

export const DRIVER_RECORD_KINDS = ['network', 'container_manager'] as const;
export type DriverRecordKind = (typeof DRIVER_RECORD_KINDS)[number];
