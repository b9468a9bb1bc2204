// The second transport: OpenSSH's own `ssh`, for what the library of the first cannot: jump hosts, host certificates, hosts that take
// only a post-quantum key exchange. One ssh, the master, logs in; each command is one more that goes through it. What must hold: the
// private key leaves this process in no form; a host's key is checked before anything of ours is shown to it; whatever happens, no
// process and no file is left when a connection has failed or is closed.

import { tmpdir } from 'node:os';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import type { AlarmClock } from '../../../lib/time/clock.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import { Turnstile } from '../../../lib/turns/turnstile.ts';
import { limitsLeft } from '../limits-left.ts';
import type { Transport } from '../transport.ts';
import { notStarted } from './failure-of.ts';
import { removeLeftovers } from './leftovers.ts';
import { KeyRefused, logIn } from './log-in.ts';
import { lookAtKey } from './look-at-key.ts';

export interface OpenSshOptions {
  /** An ssh_config with what ssh needs to get to the hosts. Without one, no file of this machine is read. */
  readonly configFile?: string | undefined;
  readonly clock?: AlarmClock;
  /** Processes are started through it: each takes milliseconds in which nothing else is done. */
  readonly turns?: Turnstile;
  /** Where folders for sockets are made. */
  readonly tempFolder?: string;
}

/** ssh takes spaces and `%` in a path for something else, and a socket's path may have 107 bytes, most of which are for names. */
const USABLE_FOLDER = /^\/[\w./+@-]{0,44}$/;

const unusable = (folder: string) =>
  new TransportFailure(
    'unreachable',
    `ssh cannot create its sockets in ${folder}: the path (TMPDIR) must have at most 45 characters: letters, digits, / and . _ - + @`,
  );

export function createOpenSshTransport(options: OpenSshOptions = {}): Transport {
  const { configFile, clock = systemClock, turns = new Turnstile(), tempFolder = tmpdir() } = options;
  const isUsable = USABLE_FOLDER.test(tempFolder);
  if (isUsable) removeLeftovers(tempFolder);
  const surroundings = { configFile, clock, turns, tempFolder };
  return {
    async connect(target, limits) {
      if (!isUsable) return unusable(tempFolder);
      const begunMs = clock.monotonicMs();
      try {
        const answer = await logIn(target, limits, surroundings);
        if (!(answer instanceof KeyRefused)) return answer;
        // It is asked which key it has, of any type, for a person to compare.
        const left = limitsLeft(limits, clock.monotonicMs() - begunMs);
        return await lookAtKey(target, left, { ...surroundings, ...answer });
      } catch (error) {
        return notStarted(error);
      }
    },
  };
}
