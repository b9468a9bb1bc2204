import type {
  ClusterStatus,
  HealthCheckerState,
  HostState,
  HostStatus,
  OperationState,
  RecordStatus,
  TokenState,
  WebhookState,
} from '../domain/vocabulary.ts';

/** What is to be thought of something: the terminal and the dashboard make colours and shapes from it. */
export type Severity = 'good' | 'busy' | 'warn' | 'bad' | 'idle';

export type AnyStatus =
  | HostStatus
  | ClusterStatus
  | OperationState
  | RecordStatus
  | HostState
  | WebhookState
  | TokenState
  | HealthCheckerState;

/**
 * Each word means one thing wherever it is used. `bad` waits for a person; what is `warn` may mend itself, as a host that is unreachable
 * does when it answers.
 */
const SEVERITIES: Readonly<Record<AnyStatus, Severity>> = {
  active: 'good',
  ok: 'good',
  finished: 'good',
  done: 'good',
  failed: 'bad',
  unreachable: 'warn',
  disabled: 'bad',
  partitioned: 'bad',
  lagging: 'warn',
  degraded: 'warn',
  paused: 'warn',
  failing: 'warn',
  disassociated: 'idle',
  cancelled: 'idle',
  skipped: 'idle',
  exhausted: 'idle',
  expired: 'idle',
  off: 'idle',
  pending: 'idle',
  planned: 'idle',
  investigating: 'busy',
  bootstrapping: 'busy',
  in_process: 'busy',
  running: 'busy',
  cancelling: 'busy',
  preflight: 'busy',
  staging: 'busy',
  cordoning: 'busy',
  draining: 'busy',
  applying: 'busy',
  armed: 'busy',
  rebooting: 'busy',
  verifying: 'busy',
  uncordoning: 'busy',
};

export const getSeverity = (status: AnyStatus): Severity => SEVERITIES[status];

/** One that went through to its end has not gone well on all hosts for that. */
export const getOperationSeverity = (
  state: OperationState,
  { failed }: { readonly failed: number },
): Severity => (state === 'finished' && failed > 0 ? 'warn' : getSeverity(state));

export const isStatus = (value: unknown): value is AnyStatus =>
  typeof value === 'string' && Object.hasOwn(SEVERITIES, value);
