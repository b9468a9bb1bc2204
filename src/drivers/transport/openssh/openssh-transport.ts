import { readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { hostKeyLine, isHostKey, stripKeyComment } from '../../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { CpuThrottle } from '../../../lib/concurrency.ts';
import type { TimerClock } from '../../../lib/time/clock.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import { hostKeyChangedFailure } from '../host-keys.ts';
import { PendingCall, remainingLimits } from '../pending-call.ts';
import type { CallLimits, Target, Transport } from '../transport.ts';
import type { OpenSshEnvironment } from './login.ts';
import { HostKeyRejected, login } from './login.ts';
import { KEY_LINK, keyProbeArguments } from './ssh-arguments.ts';
import type { ConnectionRoute } from './ssh-errors.ts';
import { sshNotStarted, toTransportFailure } from './ssh-errors.ts';
import { removeStaleWorkDirs, SshWorkDir } from './ssh-work-dir.ts';

const KNOWN_KEY_REJECTED =
  'ssh rejects the host key, although it is known: check whether the key is revoked, or its certificate has expired or is for another name';

function readKeyLink(link: string): string | undefined {
  try {
    const line = hostKeyLine(Buffer.from(readlinkSync(link), 'base64'));
    return isHostKey(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** Answers why a host whose key ssh has refused is not logged in to: because of the key that it shows, for a person to compare. */
export async function fetchPresentedKey(
  target: Target,
  limits: CallLimits,
  { configFile, clock, tempFolder, hasProxy }: OpenSshEnvironment & Pick<ConnectionRoute, 'hasProxy'>,
): Promise<TransportFailure> {
  const presentedKey = await PendingCall.start<string>(clock, limits, call => {
    const workDir = new SshWorkDir(tempFolder);
    call.onSettled(() => workDir.dispose());
    const route = { user: target.user, hasProxy };
    const parameters = { target, configFile, timeoutMs: limits.timeoutMs };
    workDir.start(
      keyProbeArguments(parameters, name => workDir.path(name)),
      { onExit: exit => call.settle(readKeyLink(workDir.path(KEY_LINK)) ?? toTransportFailure(exit, route)) },
    );
  });
  if (presentedKey instanceof TransportFailure) return presentedKey;
  if (!target.hostKeys.map(stripKeyComment).includes(presentedKey))
    return hostKeyChangedFailure(presentedKey);
  return new TransportFailure('host_key_changed', KNOWN_KEY_REJECTED, presentedKey);
}

// The second transport: OpenSSH's own `ssh`, for what the library of the first cannot: jump hosts, host certificates, hosts that take
// only a post-quantum key exchange. One ssh, the master, logs in; each command is one more that goes through it. What must hold: the
// private key leaves this process in no form; a host's key is checked before anything of ours is shown to it; whatever happens, no
// process and no file is left when a connection has failed or is closed.

export interface OpenSshOptions {
  /** An ssh_config with what ssh needs to get to the hosts. Without one, no file of this machine is read. */
  readonly configFile?: string | undefined;
  readonly clock?: TimerClock;
  /** Processes are started through it: each takes milliseconds in which nothing else is done. */
  readonly turns?: CpuThrottle;
  /** Where folders for sockets are made. */
  readonly tempFolder?: string;
}

/** ssh takes spaces and `%` in a path for something else, and a socket's path may have 107 bytes, most of which are for names. */
const VALID_TEMP_FOLDER = /^\/[\w./+@-]{0,44}$/;

const invalidFolderFailure = (folder: string) =>
  new TransportFailure(
    'unreachable',
    `ssh cannot create its sockets in ${folder}: the path (TMPDIR) must have at most 45 characters: letters, digits, / and . _ - + @`,
  );

export function createOpenSshTransport(options: OpenSshOptions = {}): Transport {
  const { configFile, clock = systemClock, turns = new CpuThrottle(), tempFolder = tmpdir() } = options;
  const isValidFolder = VALID_TEMP_FOLDER.test(tempFolder);
  if (isValidFolder) removeStaleWorkDirs(tempFolder);
  const environment = { configFile, clock, turns, tempFolder };
  return {
    async connect(target, limits) {
      if (!isValidFolder) return invalidFolderFailure(tempFolder);
      const startedMs = clock.monotonicMs();
      try {
        const result = await login(target, limits, environment);
        if (!(result instanceof HostKeyRejected)) return result;
        // It is asked which key it has, of any type, for a person to compare.
        const remaining = remainingLimits(limits, clock.monotonicMs() - startedMs);
        return await fetchPresentedKey(target, remaining, { ...environment, ...result });
      } catch (error) {
        return sshNotStarted(error);
      }
    },
  };
}
