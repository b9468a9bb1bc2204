import type { OperationState } from '../domain/vocabulary.ts';

/** The terminal and the dashboard derive colours and icons from it. */
export type Severity = 'good' | 'busy' | 'warn' | 'bad' | 'idle';

/** `bad` needs a person; `warn` can recover by itself, as an unreachable host does when it responds. */
const SEVERITIES = {
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
  queued: 'idle',
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
} as const satisfies Record<string, Severity>;

export type AnyStatus = keyof typeof SEVERITIES;

export const getSeverity = (status: AnyStatus): Severity => SEVERITIES[status];

/** A finished operation can have failed hosts. */
export const getOperationSeverity = (state: OperationState, { failed }: { readonly failed: number }): Severity =>
  state === 'finished' && failed > 0 ? 'warn' : getSeverity(state);

export const isStatus = (value: unknown): value is AnyStatus =>
  typeof value === 'string' && Object.hasOwn(SEVERITIES, value);
