import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { toSshKeyText } from '../../../lib/ssh-encoding.ts';
import { EXIT_INTERRUPTED, ExitError, failedError } from '../../errors.ts';
import { resolveHost } from '../../resolve-hosts.ts';
import type { Session } from '../../session.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { withInterruptSignal } from '../../terminal/terminal.ts';
import { serviceKeyError } from './credentials.ts';
import type { TemporaryAgent } from './temporary-agent.ts';
import { spawnError, withTemporaryAgent } from './temporary-agent.ts';

export interface SshTarget {
  readonly address: string;
  readonly user: string;
  readonly port: number;
  readonly allocatesTty: boolean;
  readonly command: readonly string[];
}

/** `-o` parses a value like ssh_config: spaces separate words, and a percent sign starts a token. */
const quotePath = (file: string) => `"${file.replaceAll('%', '%%')}"`;

/**
 * The ssh_config of the user still applies, because the host may be reachable only through it, for example
 * with a jump host. These options override it: ssh uses only this key and the pinned host keys, forwards no
 * agent, and leaves no process or file behind.
 */
export function buildSshArguments(
  target: SshTarget,
  { socket, knownHosts }: Pick<TemporaryAgent, 'socket'> & { readonly knownHosts: string },
): readonly string[] {
  const { address, user, port, allocatesTty, command } = target;
  const options = {
    // Older versions of ssh do not have these options.
    IgnoreUnknown: 'KnownHostsCommand,ForkAfterAuthentication',
    HostName: address,
    HostKeyAlias: address,
    UserKnownHostsFile: quotePath(knownHosts),
    GlobalKnownHostsFile: '/dev/null',
    KnownHostsCommand: 'none',
    StrictHostKeyChecking: 'yes',
    UpdateHostKeys: 'no',
    VerifyHostKeyDNS: 'no',
    CheckHostIP: 'no',
    IdentityAgent: quotePath(socket),
    IdentityFile: 'none',
    CertificateFile: 'none',
    PKCS11Provider: 'none',
    IdentitiesOnly: 'no',
    PreferredAuthentications: 'publickey',
    ForwardAgent: 'no',
    AddKeysToAgent: 'no',
    ControlMaster: 'no',
    ControlPath: 'none',
    RemoteCommand: 'none',
    ForkAfterAuthentication: 'no',
    ...(allocatesTty && { RequestTTY: 'force' }),
  };
  return [
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...['-p', String(port), '-l', user, '--', address, ...command],
  ];
}

/** The host is listed by its address only, because HostKeyAlias removes the port from the lookup. */
export const formatKnownHosts = (address: string, hostKeys: readonly string[]): string =>
  hostKeys.map(line => `${[address, ...line.split(/\s+/, 2)].join(' ')}\n`).join('');

/** The exit code of ssh itself if it cannot log in. */
const SSH_FAILED = 255;

/** Hides the password of the server from ssh. */
function toSshEnvironment({ HOSTLER_PASSWORD: _, ...rest }: Terminal['environment']): Terminal['environment'] {
  return rest;
}

function logIn(terminal: Terminal, key: string, hostKeys: readonly string[], target: SshTarget) {
  const environment = toSshEnvironment(terminal.environment);
  return withInterruptSignal(terminal, signal =>
    withTemporaryAgent(key, environment, async ({ folder, socket }) => {
      if (signal.aborted) return EXIT_INTERRUPTED;
      const knownHosts = path.join(folder, 'known_hosts');
      writeFileSync(knownHosts, formatKnownHosts(target.address, hostKeys));
      const args = buildSshArguments(target, { socket, knownHosts });
      const exitCode = await terminal
        .run('ssh', args, { environment, signal })
        .catch(error => Promise.reject(spawnError('ssh', error)));
      // A terminated ssh exits with 255 too.
      return signal.aborted ? EXIT_INTERRUPTED : exitCode;
    }),
  );
}

export async function ssh(
  { client, terminal }: Session,
  { tty }: { readonly tty?: true },
  name: string,
  command: readonly string[],
): Promise<void> {
  const { address } = await resolveHost(client, name);
  const { body: access } = await client.getHostAccess({ address });
  if (access.host_keys.length === 0)
    throw failedError(
      `the host key of ${address} is not known yet, so the host cannot be verified. See: hostler host show ${address}`,
    );
  const { body: creds } = await client.getHostCreds({ address });
  if (creds.ssh_priv_key === '') throw serviceKeyError(address);
  const exitCode = await logIn(terminal, toSshKeyText(creds.ssh_priv_key), access.host_keys, {
    address,
    user: creds.remote_user,
    port: access.ssh_port,
    allocatesTty: tty === true,
    command,
  });
  if (exitCode === SSH_FAILED)
    terminal.writeErr(
      `hostler: ssh failed with exit code ${SSH_FAILED}: it could not log in, or lost the connection. See: hostler host show ${address}\n`,
    );
  if (exitCode !== 0) throw new ExitError(exitCode);
}
