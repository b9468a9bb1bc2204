import { TransportFailure } from '../../domain/transport-failure.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';

export const NETWORK_ERRORS = {
  ECONNREFUSED: 'connection refused: check that sshd is running and uses this port',
  ECONNRESET: 'the host closed the connection',
  EPIPE: 'the host closed the connection',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network of the host is unreachable',
  ETIMEDOUT: 'the host does not respond',
  EHOSTDOWN: 'the host is down',
};

export const keyRejectedFailure = (user: string): TransportFailure =>
  new TransportFailure('auth_rejected', `the host rejected the user ${sanitizeLine(user)} with this key`);
