// What `ssh` is told. What must hold: whatever guards us stands on the command line, where it wins over the file of an administrator;
// nothing of a target can become an option; no secret is among it.

import { existsSync } from 'node:fs';
import { LOGIN_COMMAND } from '../command-script.ts';
import { hostKeyAlgorithms } from '../host-keys.ts';
import type { Target } from '../transport.ts';

/** What ssh logs by these functions, beside errors: how far it has got. At a higher level it would also print a host's greeting. */
export const LOGGED_IN_LINE = 'Entering interactive session.';
export const SESSION_OPEN_LINE = 'master session id: ';

/** Why a connection ended, which for ssh is no error. */
const CLOSE_REASON_LOGS = 'packet.c:sshpkt_vfatal():*,clientloop.c:server_alive_check():*';

const ENFORCED_OPTIONS = [
  ...['BatchMode=yes', 'PubkeyAuthentication=yes', 'PreferredAuthentications=publickey'],
  ...['PasswordAuthentication=no', 'KbdInteractiveAuthentication=no', 'GSSAPIAuthentication=no'],
  ...['HostbasedAuthentication=no', 'EnableSSHKeysign=no', 'PKCS11Provider=none', 'AddKeysToAgent=no'],
  // No key of the account that runs the service: ours is the only one of our agent.
  ...['IdentityFile=none', 'IdentitiesOnly=no'],
  ...['ForwardAgent=no', 'ForwardX11=no', 'ClearAllForwardings=yes', 'Tunnel=no'],
  ...['PermitLocalCommand=no', 'RemoteCommand=none', 'RequestTTY=no', 'EscapeChar=none'],
  ...['ForkAfterAuthentication=no', 'ControlPersist=no', 'ConnectionAttempts=1'],
  // A host that is gone without a word is noticed after 45 s, also while a command says nothing.
  ...['ServerAliveInterval=15', 'ServerAliveCountMax=3', 'LogLevel=ERROR'],
  // Each of these would take a key for right, or remember one, that we were not given.
  ...['UpdateHostKeys=no', 'VerifyHostKeyDNS=no', 'NoHostAuthenticationForLocalhost=no', 'CheckHostIP=no'],
];

const toOptions = (settings: readonly string[]): string[] => settings.flatMap(setting => ['-o', setting]);

/** Algorithms for the types of these keys, or all. Only a file of an administrator can name an authority of certificates. */
function hostKeyAlgorithmsOption(hostKeys: readonly string[], mayBeCertified: boolean): string {
  const plain = hostKeyAlgorithms(hostKeys);
  const certified = mayBeCertified ? plain.map(algorithm => `${algorithm}-cert-v01@openssh.com`) : [];
  return `HostKeyAlgorithms=${[...certified, ...plain].join(',')}`;
}

export interface SshParameters {
  readonly target: Target;
  /** An ssh_config of an administrator. */
  readonly configFile: string | undefined;
  readonly timeoutMs: number;
}

/** `-l` and `--`: a name that begins with a dash is no option. */
function connectArguments(
  settings: readonly string[],
  { target, configFile, timeoutMs }: SshParameters,
): string[] {
  const { address, port, user } = target;
  // Our own limit comes first; this is for what is left alone by a server that is killed.
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
  /** Has the keys that the host may show, for whatever name it is looked up by. */
  readonly knownHosts: string;
}

/** The ssh that logs in, and through which the others go. */
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

/** What stands for a key that is looked up by a host's name is a link with the key, in base64, as its target. */
export const KEY_LINK = 'shown-HOSTNAME';

/**
 * The ssh that finds out which key a host shows, and goes no further since it takes none for right. It hands the key to a command,
 * without a shell; making a link is one that every Linux has and that keeps what it is given.
 */
export function keyProbeArguments(parameters: SshParameters, linkFor: (kind: string) => string): string[] {
  const settings = [
    ...['ControlMaster=no', 'ControlPath=none', 'IdentityAgent=none', 'StrictHostKeyChecking=yes'],
    ...['UserKnownHostsFile=none', 'GlobalKnownHostsFile=none', `LogVerbose=${CLOSE_REASON_LOGS}`],
    `KnownHostsCommand=${LN_PATH} -sf %K ${linkFor('shown-%I')}`,
    hostKeyAlgorithmsOption([], false),
  ];
  return connectArguments(settings, parameters);
}

/** The ssh of one command. It would connect by itself where it finds no master, and must not. */
export function commandArguments(controlSocket: string): string[] {
  const settings = [
    ...['BatchMode=yes', 'ControlMaster=no', `ControlPath=${controlSocket}`, 'EscapeChar=none'],
    ...['ProxyCommand=false', 'IdentityFile=none', 'IdentityAgent=none', 'LogLevel=ERROR'],
    'LogVerbose=mux.c:mux_client_request_session():*',
  ];
  return ['-F', 'none', '-T', ...toOptions(settings), '--', 'master', LOGIN_COMMAND];
}
