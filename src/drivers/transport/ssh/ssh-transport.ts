// The standard transport: SSH by the library ssh2, in this process. The library is imported in this folder only. What must hold: a
// host's key is checked before anything of ours is shown to it; only current algorithms are offered; whatever the library throws or
// emits becomes a `TransportFailure`, since a hostile host can make it complain at any moment.

import ssh2 from 'ssh2';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import type { AlarmClock } from '../../../lib/time/clock.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import { Turnstile } from '../../../lib/turns/turnstile.ts';
import { Attempt } from '../attempt.ts';
import type { HostKeyAlgorithm } from '../host-key-algorithms.ts';
import { hostKeyAlgorithms } from '../host-key-algorithms.ts';
import { limitsLeft } from '../limits-left.ts';
import { readableKey } from '../readable-key.ts';
import type { Connection, ConnectLimits, Target, Transport } from '../transport.ts';
import { ALGORITHMS } from './algorithms.ts';
import { failureOf } from './failure-of.ts';
import { HostKeyCheck } from './host-key-check.ts';
import { PacedSocket } from './paced-socket.ts';
import { SshConnection } from './ssh-connection.ts';

/** A host that is gone without a word is noticed after about three of these, also while a command says nothing. */
const KEEPALIVE_MS = 15_000;

const CUT = new TransportFailure('unreachable', 'the host closed the connection before the login');

interface LoginPlan {
  readonly target: Target;
  readonly check: HostKeyCheck;
  readonly algorithms: HostKeyAlgorithm[];
  readonly turns: Turnstile;
  readonly tcpTimeoutMs: number | undefined;
}

/** Ends an attempt on a host that does not accept the TCP connection in time. */
function limitTcp(
  attempt: Attempt<Connection>,
  socket: PacedSocket,
  clock: AlarmClock,
  timeoutMs: number,
): void {
  const detail = `the host did not accept a connection within ${timeoutMs / 1000} s`;
  const stopTimer = clock.after(timeoutMs, () => attempt.settle(new TransportFailure('timed_out', detail)));
  socket.once('connect', stopTimer);
  attempt.onceOver(stopTimer);
}

/** Connects, checks the key and logs in. */
function logIn(attempt: Attempt<Connection>, plan: LoginPlan, clock: AlarmClock): void {
  const { target, check, algorithms, turns, tcpTimeoutMs } = plan;
  const { address, port, user } = target;
  const client = new ssh2.Client();
  const socket = new PacedSocket(turns);
  let isIn = false;
  attempt.onceOver(() => {
    if (!isIn) socket.destroy();
  });
  client.on('error', error => attempt.settle(check.failure(error) ?? failureOf(error, user)));
  client.on('close', () => attempt.settle(CUT));
  client.on('ready', () => {
    if (attempt.isOver) return;
    isIn = true;
    attempt.settle(new SshConnection({ client, socket, hostKey: check.shown, user, clock }));
  });
  client.connect({
    sock: socket,
    username: user,
    privateKey: readableKey(target.privateKey).reveal(),
    authHandler: ['publickey'],
    algorithms: { ...ALGORITHMS, serverHostKey: algorithms },
    // Asked at every exchange of keys, also long after the login.
    hostVerifier: (blob: Buffer) => check.isRight(blob) && (isIn || attempt.mayProceed()),
    readyTimeout: 0,
    keepaliveInterval: KEEPALIVE_MS,
  });
  if (tcpTimeoutMs !== undefined) limitTcp(attempt, socket, clock, tcpTimeoutMs);
  socket.setNoDelay(true).connect({ host: address, port });
}

interface SshOptions {
  readonly clock?: AlarmClock;
  /** What keeps the processor busy goes through it. */
  readonly turns?: Turnstile;
}

export function createSshTransport({
  clock = systemClock,
  turns = new Turnstile(),
}: SshOptions = {}): Transport {
  const tryTo = (
    target: Target,
    limits: ConnectLimits,
    check: HostKeyCheck,
    algorithms: HostKeyAlgorithm[],
  ) => {
    const plan = { target, check, algorithms, turns, tcpTimeoutMs: limits.tcpTimeoutMs };
    return Attempt.within<Connection>(clock, limits, attempt => {
      turns.pass(() => attempt.proceed(() => logIn(attempt, plan, clock)));
    });
  };
  return {
    async connect(target, limits) {
      const begunMs = clock.monotonicMs();
      const check = new HostKeyCheck(target.hostKeys);
      const answer = await tryTo(target, limits, check, hostKeyAlgorithms(target.hostKeys));
      if (!check.isTypeMissing) return answer;
      // It has only keys of other types, so it has changed. It is asked which one, for a person to compare; then refused.
      const left = limitsLeft(limits, clock.monotonicMs() - begunMs);
      return tryTo(target, left, check, hostKeyAlgorithms([]));
    },
  };
}
