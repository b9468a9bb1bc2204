// The default transport: SSH with the library ssh2, which only this folder imports. The host key is verified before the
// login. All errors of the library become a `TransportFailure`, because a hostile host can cause them at any time.

import type { Algorithms } from 'ssh2';
import ssh2 from 'ssh2';
import { Secret } from '../../../domain/secret.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { CpuThrottle } from '../../../lib/concurrency.ts';
import { toSshKeyText } from '../../../lib/ssh-encoding.ts';
import type { TimerClock } from '../../../lib/time/clock.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import type { HostKeyAlgorithm } from '../host-keys.ts';
import { hostKeyAlgorithms } from '../host-keys.ts';
import { PendingCall, remainingLimits } from '../pending-call.ts';
import type { CallLimits, Connection, Target, Transport } from '../transport.ts';
import { HostKeyVerifier } from './host-key-verifier.ts';
import { SshConnection } from './ssh-connection.ts';
import { toTransportFailure } from './ssh-errors.ts';
import { ThrottledSocket } from './throttled-socket.ts';

/** Converts a base64 private key in any supported format to a format that all SSH programs read. */
export const toOpenSshKey = (base64: Secret): Secret => new Secret(toSshKeyText(base64.reveal()));

// Algorithms of OpenSSH 7 (2015) and later, without SHA-1, CBC and small groups. Curve25519 is the cheapest for both
// sides. GCM precedes chacha20, which ssh2 computes in JavaScript.
const ALGORITHMS = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'chacha20-poly1305@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} satisfies Algorithms;

/** An unresponsive host is detected after about three intervals, also while a command produces no output. */
const KEEPALIVE_MS = 15_000;

const CLOSED_BEFORE_LOGIN = new TransportFailure('unreachable', 'the host closed the connection before the login');

interface SshOptions {
  readonly clock?: TimerClock;
  readonly throttle?: CpuThrottle;
}

export function createSshTransport({ clock = systemClock, throttle = new CpuThrottle() }: SshOptions = {}): Transport {
  function login(
    call: PendingCall<Connection>,
    { address, port, user, privateKey }: Target,
    verifier: HostKeyVerifier,
    serverHostKey: HostKeyAlgorithm[],
    tcpTimeoutMs: number | undefined,
  ): void {
    const client = new ssh2.Client();
    const socket = new ThrottledSocket(throttle);
    let isLoggedIn = false;
    call.onSettled(() => {
      if (!isLoggedIn) socket.destroy();
    });
    client.on('error', error => call.settle(verifier.toFailure(error) ?? toTransportFailure(error, user)));
    client.on('close', () => call.settle(CLOSED_BEFORE_LOGIN));
    client.on('ready', () => {
      if (call.isSettled) return;
      isLoggedIn = true;
      call.settle(new SshConnection({ client, socket, hostKey: verifier.presentedKey, user, clock }));
    });
    client.connect({
      sock: socket,
      username: user,
      privateKey: toOpenSshKey(privateKey).reveal(),
      authHandler: ['publickey'],
      algorithms: { ...ALGORITHMS, serverHostKey },
      // Called for each key exchange, also after the login.
      hostVerifier: (blob: Buffer) => verifier.verify(blob) && (isLoggedIn || call.mayProceed()),
      readyTimeout: 0,
      keepaliveInterval: KEEPALIVE_MS,
    });
    if (tcpTimeoutMs !== undefined) {
      const detail = `the host did not accept a connection within ${tcpTimeoutMs / 1000} s`;
      const stopTimer = clock.setTimer(tcpTimeoutMs, () => call.settle(new TransportFailure('timed_out', detail)));
      socket.once('connect', stopTimer);
      call.onSettled(stopTimer);
    }
    socket.setNoDelay(true).connect({ host: address, port });
  }

  return {
    async connect(target, limits) {
      const startedMs = clock.monotonicMs();
      const verifier = new HostKeyVerifier(target.hostKeys);
      const tryLogin = (remaining: CallLimits, algorithms: HostKeyAlgorithm[]) =>
        PendingCall.start<Connection>(clock, remaining, call => {
          throttle.run(() => call.runIfAllowed(() => login(call, target, verifier, algorithms, limits.tcpTimeoutMs)));
        });
      const result = await tryLogin(limits, hostKeyAlgorithms(target.hostKeys));
      if (!verifier.hasNoKnownKeyType) return result;
      // Connects again to read the changed key, which is then rejected, so that an administrator can compare it.
      return tryLogin(remainingLimits(limits, clock.monotonicMs() - startedMs), hostKeyAlgorithms([]));
    },
  };
}
