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
import type { Connection, ConnectLimits, Target, Transport } from '../transport.ts';
import { HostKeyVerifier } from './host-key-verifier.ts';
import { SshConnection } from './ssh-connection.ts';
import { toTransportFailure } from './ssh-errors.ts';
import { ThrottledSocket } from './throttled-socket.ts';

/** A private key, base64 of any form that we take, as a text that every SSH program reads. */
export const toOpenSshKey = (base64: Secret): Secret => new Secret(toSshKeyText(base64.reveal()));

/**
 * What is offered to hosts, best first: what OpenSSH 7 (2015) and later know, without SHA-1, CBC and small groups. Curve25519 costs both
 * sides least. GCM goes before chacha20, which the library computes in JavaScript.
 */
export const ALGORITHMS = {
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

// The standard transport: SSH by the library ssh2, in this process. The library is imported in this folder only. What must hold: a
// host's key is checked before anything of ours is shown to it; only current algorithms are offered; whatever the library throws or
// emits becomes a `TransportFailure`, since a hostile host can make it complain at any moment.

/** A host that is gone without a word is noticed after about three of these, also while a command says nothing. */
const KEEPALIVE_MS = 15_000;

const CLOSED_BEFORE_LOGIN = new TransportFailure(
  'unreachable',
  'the host closed the connection before the login',
);

interface LoginOptions {
  readonly target: Target;
  readonly check: HostKeyVerifier;
  readonly algorithms: HostKeyAlgorithm[];
  readonly turns: CpuThrottle;
  readonly tcpTimeoutMs: number | undefined;
}

/** Ends an attempt on a host that does not accept the TCP connection in time. */
function limitTcpConnect(
  call: PendingCall<Connection>,
  socket: ThrottledSocket,
  clock: TimerClock,
  timeoutMs: number,
): void {
  const detail = `the host did not accept a connection within ${timeoutMs / 1000} s`;
  const stopTimer = clock.setTimer(timeoutMs, () => call.settle(new TransportFailure('timed_out', detail)));
  socket.once('connect', stopTimer);
  call.onSettled(stopTimer);
}

/** Connects, checks the key and logs in. */
function login(call: PendingCall<Connection>, options: LoginOptions, clock: TimerClock): void {
  const { target, check, algorithms, turns, tcpTimeoutMs } = options;
  const { address, port, user } = target;
  const client = new ssh2.Client();
  const socket = new ThrottledSocket(turns);
  let isLoggedIn = false;
  call.onSettled(() => {
    if (!isLoggedIn) socket.destroy();
  });
  client.on('error', error => call.settle(check.toFailure(error) ?? toTransportFailure(error, user)));
  client.on('close', () => call.settle(CLOSED_BEFORE_LOGIN));
  client.on('ready', () => {
    if (call.isSettled) return;
    isLoggedIn = true;
    call.settle(new SshConnection({ client, socket, hostKey: check.presentedKey, user, clock }));
  });
  client.connect({
    sock: socket,
    username: user,
    privateKey: toOpenSshKey(target.privateKey).reveal(),
    authHandler: ['publickey'],
    algorithms: { ...ALGORITHMS, serverHostKey: algorithms },
    // Asked at every exchange of keys, also long after the login.
    hostVerifier: (blob: Buffer) => check.verify(blob) && (isLoggedIn || call.mayProceed()),
    readyTimeout: 0,
    keepaliveInterval: KEEPALIVE_MS,
  });
  if (tcpTimeoutMs !== undefined) limitTcpConnect(call, socket, clock, tcpTimeoutMs);
  socket.setNoDelay(true).connect({ host: address, port });
}

interface SshOptions {
  readonly clock?: TimerClock;
  /** What keeps the processor busy goes through it. */
  readonly turns?: CpuThrottle;
}

export function createSshTransport({
  clock = systemClock,
  turns = new CpuThrottle(),
}: SshOptions = {}): Transport {
  const tryLogin = (
    target: Target,
    limits: ConnectLimits,
    check: HostKeyVerifier,
    algorithms: HostKeyAlgorithm[],
  ) => {
    const options = { target, check, algorithms, turns, tcpTimeoutMs: limits.tcpTimeoutMs };
    return PendingCall.start<Connection>(clock, limits, call => {
      turns.run(() => call.runIfAllowed(() => login(call, options, clock)));
    });
  };
  return {
    async connect(target, limits) {
      const startedMs = clock.monotonicMs();
      const check = new HostKeyVerifier(target.hostKeys);
      const result = await tryLogin(target, limits, check, hostKeyAlgorithms(target.hostKeys));
      if (!check.hasNoKnownKeyType) return result;
      // It has only keys of other types, so it has changed. It is asked which one, for a person to compare; then refused.
      const remaining = remainingLimits(limits, clock.monotonicMs() - startedMs);
      return tryLogin(target, remaining, check, hostKeyAlgorithms([]));
    },
  };
}
