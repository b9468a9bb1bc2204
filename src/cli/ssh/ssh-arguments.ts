import type { LentKey } from './lent-key.ts';

export interface SshTarget {
  readonly address: string;
  readonly user: string;
  readonly port: number;
  readonly isWithTerminal: boolean;
  readonly command: readonly string[];
}

/** For `-o`, which reads a value as ssh_config does: spaces part words, and a percent sign begins a token. */
const fileWord = (file: string) => `"${file.replaceAll('%', '%%')}"`;

/**
 * The own ssh_config of whoever calls still counts, since it may be what leads to the host, such as by a jump host. What is said here
 * goes before it: one key, one host, nothing that would let the host use the agent and nothing that stays behind.
 */
export function sshArguments(
  target: SshTarget,
  { socket, knownHosts }: Pick<LentKey, 'socket'> & { readonly knownHosts: string },
): readonly string[] {
  const { address, user, port, isWithTerminal, command } = target;
  const options = {
    // What an older ssh does not know, it does not do either.
    IgnoreUnknown: 'KnownHostsCommand,ForkAfterAuthentication',
    HostName: address,
    HostKeyAlias: address,
    UserKnownHostsFile: fileWord(knownHosts),
    GlobalKnownHostsFile: '/dev/null',
    KnownHostsCommand: 'none',
    StrictHostKeyChecking: 'yes',
    UpdateHostKeys: 'no',
    VerifyHostKeyDNS: 'no',
    CheckHostIP: 'no',
    IdentityAgent: fileWord(socket),
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
    ...(isWithTerminal && { RequestTTY: 'force' }),
  };
  return [
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...['-p', String(port), '-l', user, '--', address, ...command],
  ];
}

/** For the host under its address, whatever its port is. */
export const knownHostsText = (address: string, hostKeys: readonly string[]): string =>
  hostKeys.map(line => `${[address, ...line.split(/\s+/, 2)].join(' ')}\n`).join('');
