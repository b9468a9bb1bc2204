// Runs the OpenSSH client, for jump hosts, host certificates and post-quantum key exchange. A master process logs in;
// each command is another ssh process. The private key must not leave this process, and no process or file may remain.

import { readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { hostKeyLine, isHostKey, stripKeyComment } from '../../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { CpuThrottle } from '../../../lib/concurrency.ts';
import { tryOr } from '../../../lib/errors.ts';
import type { TimerClock } from '../../../lib/time/clock.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import { hostKeyChangedFailure } from '../host-keys.ts';
import { PendingCall, remainingLimits } from '../pending-call.ts';
import type { CallLimits, Target, Transport } from '../transport.ts';
import type { HostKeyRejection, OpenSshEnvironment } from './login.ts';
import { login } from './login.ts';
import { KEY_LINK, keyProbeArguments } from './ssh-arguments.ts';
import { sshNotStarted, toTransportFailure } from './ssh-errors.ts';
import { removeStaleWorkDirs, SshWorkDir } from './ssh-work-dir.ts';

const KNOWN_KEY_REJECTED =
  'ssh rejects the host key, although it is known: check whether the key is revoked, or its certificate has expired or is for another name';

const readKeyLink = (link: string): string | undefined =>
  tryOr(undefined, () => {
    const line = hostKeyLine(Buffer.from(readlinkSync(link), 'base64'));
    return isHostKey(line) ? line : undefined;
  });

/** After ssh has rejected the host key, reads the key of any type, so that an administrator can compare it. */
async function fetchPresentedKey(
  target: Target,
  limits: CallLimits,
  { configFile, clock, tempFolder, hasProxy }: OpenSshEnvironment & HostKeyRejection,
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
  if (!target.hostKeys.map(stripKeyComment).includes(presentedKey)) return hostKeyChangedFailure(presentedKey);
  return new TransportFailure('host_key_changed', KNOWN_KEY_REJECTED, presentedKey);
}

interface OpenSshOptions {
  /** ssh_config of an administrator. Without it, ssh reads no configuration files. */
  readonly configFile?: string | undefined;
  readonly clock?: TimerClock;
  /** Limits process starts, because each blocks the event loop for milliseconds. */
  readonly throttle?: CpuThrottle;
  readonly tempFolder?: string;
}

/** ssh interprets spaces and `%` in paths. A socket path is limited to 107 bytes, most of which the file names need. */
const VALID_TEMP_FOLDER = /^\/[\w./+@-]{0,44}$/;

const invalidFolderFailure = (folder: string) =>
  new TransportFailure(
    'unreachable',
    `ssh cannot create its sockets in ${folder}: the path (TMPDIR) must have at most 45 characters: letters, digits, / and . _ - + @`,
  );

export function createOpenSshTransport(options: OpenSshOptions = {}): Transport {
  const { configFile, clock = systemClock, throttle = new CpuThrottle(), tempFolder = tmpdir() } = options;
  const isValidFolder = VALID_TEMP_FOLDER.test(tempFolder);
  if (isValidFolder) removeStaleWorkDirs(tempFolder);
  const environment = { configFile, clock, throttle, tempFolder };
  return {
    async connect(target, limits) {
      if (!isValidFolder) return invalidFolderFailure(tempFolder);
      const startedMs = clock.monotonicMs();
      try {
        const result = await login(target, limits, environment);
        if (!('hasProxy' in result)) return result;
        const remaining = remainingLimits(limits, clock.monotonicMs() - startedMs);
        return await fetchPresentedKey(target, remaining, { ...environment, ...result });
      } catch (error) {
        return sshNotStarted(error);
      }
    },
  };
}
