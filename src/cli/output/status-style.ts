import type {
  ClusterStatus,
  HostState,
  HostStatus,
  OperationState,
  TokenState,
  WebhookState,
} from '../../domain/vocabulary.ts';
import type { Style } from './style.ts';

type StatusWord = HostStatus | ClusterStatus | OperationState | HostState | WebhookState | TokenState;

/** Each word means one thing wherever it is used. `undefined`: nothing is to be said of it, it goes on. */
const STYLES: Readonly<Record<StatusWord, Style | undefined>> = {
  active: 'good',
  ok: 'good',
  finished: 'good',
  done: 'good',
  usable: 'good',
  failed: 'bad',
  unreachable: 'bad',
  parked: 'bad',
  degraded: 'doubtful',
  paused: 'doubtful',
  failing: 'doubtful',
  disassociated: 'quiet',
  cancelled: 'quiet',
  skipped: 'quiet',
  used_up: 'quiet',
  expired: 'quiet',
  investigating: undefined,
  bootstrapping: undefined,
  planned: undefined,
  running: undefined,
  cancelling: undefined,
  pending: undefined,
  preflight: undefined,
  staging: undefined,
  cordoning: undefined,
  draining: undefined,
  applying: undefined,
  armed: undefined,
  rebooting: undefined,
  verifying: undefined,
  uncordoning: undefined,
};

export const statusStyle = (status: StatusWord): Style | undefined => STYLES[status];
