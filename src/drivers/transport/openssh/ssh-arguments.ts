// Command lines of ssh. Security options are set on the command line, where they override the ssh_config of an
// administrator. Values of a target must not become options, and no argument contains a secret.

import { existsSync } from 'node:fs';
import { LOGIN_COMMAND } from '../command-script.ts';
import { hostKeyAlgorithms } from '../host-keys.ts';
import type { Target } from '../transport.ts';

/** Log lines that show the progress of ssh. A higher log level would also print the banner of the host. */
export const LOGGED_IN_LINE = 'Entering interactive session.';
export const SESSION_OPEN_LINE = 'master session id: ';

/** Log functions for the reason of a closed connection, which ssh does not log as an error. */
const CLOSE_REASON_LOGS = 'packet.c:sshpkt_vfatal():*,clientloop.c:server_alive_check():*';

const ENFORCED_OPTIONS = [
  ...['BatchMode=yes', 'PubkeyAuthentication=yes', 'PreferredAuthentications=publickey'],
  ...['PasswordAuthentication=no', 'KbdInteractiveAuthentication=no', 'GSSAPIAuthentication=no'],
  ...['HostbasedAuthentication=no', 'EnableSSHKeysign=no', 'PKCS11Provider=none', 'AddKeysToAgent=no'],
  // Excludes the keys of the service account; the agent has only the key of the target.
  ...['IdentityFile=none', 'IdentitiesOnly=no'],
  ...['ForwardAgent=no', 'ForwardX11=no', 'ClearAllForwardings=yes', 'Tunnel=no'],
  ...['PermitLocalCommand=no', 'RemoteCommand=none', 'RequestTTY=no', 'EscapeChar=none'],
  ...['ForkAfterAuthentication=no', 'ControlPersist=no', 'ConnectionAttempts=1'],
  // Detects an unresponsive host after 45 s, also while a command produces no output.
  ...['ServerAliveInterval=15', 'ServerAliveCountMax=3', 'LogLevel=ERROR'],
  // These options would trust or store host keys that are not in the target.
  ...['UpdateHostKeys=no', 'VerifyHostKeyDNS=no', 'NoHostAuthenticationForLocalhost=no', 'CheckHostIP=no'],
];

const toOptions = (settings: readonly string[]): string[] => settings.flatMap(setting => ['-o', setting]);

/** Certificates are allowed only with a configuration file, because only that can define a certificate authority. */
function hostKeyAlgorithmsOption(hostKeys: readonly string[], mayBeCertified: boolean): string {
  const plain = hostKeyAlgorithms(hostKeys);
  const certified = mayBeCertified ? plain.map(algorithm => `${algorithm}-cert-v01@openssh.com`) : [];
  return `HostKeyAlgorithms=${[...certified, ...plain].join(',')}`;
}

export interface SshParameters {
  readonly target: Target;
  readonly configFile: string | undefined;
  readonly timeoutMs: number;
}

/** `-l` and `--` prevent that a value with a leading dash becomes an option. */
function connectArguments(settings: readonly string[], { target, configFile, timeoutMs }: SshParameters): string[] {
  const { address, port, user } = target;
  // Stops the login if the server is killed; otherwise the timeout of the server is earlier.
  const connectTimeout = `ConnectTimeout=${Math.ceil(timeoutMs / 1000) + 1}`;
  return [
    ...['-F', configFile ?? 'none', '-N', '-T'],
    ...toOptions([...settings, ...ENFORCED_OPTIONS, connectTimeout]),
    ...['-l', user, '-p', String(port), '--', address],
  ];
}

export interface MasterFiles {
  readonly controlSocket: string;
  readonly agentSocket: string;
  /** Contains the known keys with the pattern `*`. */
  readonly knownHosts: string;
}

export function masterArguments(parameters: SshParameters, files: MasterFiles): string[] {
  const { target, configFile } = parameters;
  const hasFile = configFile !== undefined;
  const settings = [
    ...['ControlMaster=yes', `ControlPath=${files.controlSocket}`, `IdentityAgent=${files.agentSocket}`],
    `StrictHostKeyChecking=${target.hostKeys.length > 0 ? 'yes' : 'accept-new'}`,
    `UserKnownHostsFile=${files.knownHosts}`,
    ...(hasFile ? [] : ['GlobalKnownHostsFile=none', `HostKeyAlias=${target.address}`]),
    hostKeyAlgorithmsOption(target.hostKeys, hasFile),
    `LogVerbose=clientloop.c:client_loop():*,${CLOSE_REASON_LOGS}`,
  ];
  return connectArguments(settings, parameters);
}

const LN_PATH = existsSync('/bin/ln') ? '/bin/ln' : '/usr/bin/ln';

/** Name of the symbolic link that KnownHostsCommand creates for a host name lookup. Its target is the key in base64. */
export const KEY_LINK = 'presented-HOSTNAME';

// Reads the host key and exits before the login, because it trusts no key. ssh passes the key to a command without a
// shell; `ln -s` exists on every Linux system and stores its argument.
export function keyProbeArguments(parameters: SshParameters, linkFor: (kind: string) => string): string[] {
  const settings = [
    ...['ControlMaster=no', 'ControlPath=none', 'IdentityAgent=none', 'StrictHostKeyChecking=yes'],
    ...['UserKnownHostsFile=none', 'GlobalKnownHostsFile=none', `LogVerbose=${CLOSE_REASON_LOGS}`],
    `KnownHostsCommand=${LN_PATH} -sf %K ${linkFor('presented-%I')}`,
    hostKeyAlgorithmsOption([], false),
  ];
  return connectArguments(settings, parameters);
}

/** Arguments of a command process. `ProxyCommand=false` prevents that it connects by itself if the master is gone. */
export function commandArguments(controlSocket: string): string[] {
  const settings = [
    ...['BatchMode=yes', 'ControlMaster=no', `ControlPath=${controlSocket}`, 'EscapeChar=none'],
    ...['ProxyCommand=false', 'IdentityFile=none', 'IdentityAgent=none', 'LogLevel=ERROR'],
    'LogVerbose=mux.c:mux_client_request_session():*',
  ];
  return ['-F', 'none', '-T', ...toOptions(settings), '--', 'master', LOGIN_COMMAND];
}
