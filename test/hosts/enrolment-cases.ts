// Hosts to enrol, with the expected result. Each is a real machine with its own OpenSSH, or a listener at its
// address.

import net from 'node:net';
import type { HostStatus } from '../../src/domain/vocabulary.ts';
import { OTHER_HOST_KEY } from '../harness/credentials.ts';
import { listen } from '../harness/http/sockets.ts';
import type { HostUser } from '../harness/real-hosts/host-access.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHost } from '../harness/real-hosts/light-host.ts';
import type { LightHostOptions } from '../harness/real-hosts/light-host-configuration.ts';
import type { Identity } from '../harness/real-hosts/light-host-layers.ts';

export interface EnrolmentCase {
  readonly name: string;
  readonly status: HostStatus;
  readonly os: string;
  /** Expected reason of the failure. */
  readonly reason?: RegExp;
  readonly enrolWith?: object;
  start(): Promise<StartedHost>;
  /** Called after the enrolment. */
  afterEnrolment?(host: LightHost): Promise<void>;
}

export interface StartedHost {
  readonly address: string;
  readonly port: number;
  readonly host?: LightHost;
  stop(): Promise<void>;
}

const light = (options: LightHostOptions) => async (): Promise<StartedHost> => {
  const host = await startLightHost(options);
  return { address: host.address, port: host.port, host, stop: () => host.stop() };
};

const accepted = (name: string, options: LightHostOptions, os: string, enrolWith: object = {}): EnrolmentCase => ({
  name,
  status: 'disassociated',
  os,
  enrolWith,
  start: light(options),
});

const user = (shell: string, overrides: Partial<HostUser> = {}): LightHostOptions => ({
  identity: 'debian',
  users: [{ name: 'core', shell, sudo: 'free', ...overrides }],
});
const AS_CORE = { remote_user: 'core' };

const OVER_OPENSSH = { transport: 'openssh' };
const POST_QUANTUM: LightHostOptions = {
  identity: 'debian',
  sshdOptions: ['KexAlgorithms sntrup761x25519-sha512@openssh.com'],
};

const GREETING = 'echo "Welcome to this machine"; echo "It is watched" >&2\n';

const systems: readonly (readonly [Identity, string])[] = [
  ['fedora-coreos', 'coreos'],
  ['debian', 'debian'],
  ['centos', 'centos'],
];

export const acceptedHosts: readonly EnrolmentCase[] = [
  ...systems.map(([identity, os]) => accepted(`a host with ${identity}`, { identity }, os)),
  accepted('a user with sudo and bash', user('/bin/bash'), 'debian', AS_CORE),
  accepted('a user whose login shell is fish', user('/usr/bin/fish'), 'debian', AS_CORE),
  accepted('a user whose login shell is tcsh', user('/bin/tcsh'), 'debian', AS_CORE),
  accepted('a user whose bash prints a greeting', user('/bin/bash', { profile: GREETING }), 'debian', AS_CORE),
  accepted(
    'a user whose fish prints a greeting',
    user('/usr/bin/fish', { profile: 'echo Welcome\n' }),
    'debian',
    AS_CORE,
  ),
  accepted(
    'a user whose tcsh prints a greeting',
    user('/bin/tcsh', { profile: 'echo "Welcome"\n' }),
    'debian',
    AS_CORE,
  ),
  accepted(
    'an sshd that offers only modern algorithms',
    {
      identity: 'debian',
      sshdOptions: [
        'KexAlgorithms curve25519-sha256',
        'Ciphers chacha20-poly1305@openssh.com,aes256-gcm@openssh.com',
        'MACs hmac-sha2-512-etm@openssh.com',
        'HostKeyAlgorithms ssh-ed25519',
        'PubkeyAcceptedAlgorithms ssh-ed25519',
      ],
    },
    'debian',
  ),
  {
    ...accepted('a host that reports terminal control characters', { identity: 'debian' }, 'debian'),
    start: async () => {
      const started = await light({ identity: 'debian', sshdOptions: ['Banner /etc/issue'] })();
      await started.host?.write('/etc/issue', '\u001b[2J\u001b]0;owned\u0007Welcome\n'.repeat(50));
      await started.host?.write(
        '/etc/os-release',
        'ID=debian\nVERSION_ID="\u001b[31m12"\nPRETTY_NAME="\u202e\u0007"\n',
      );
      await started.host?.runChecked(['sh', '-c', "printf '\\033[2Jevil\\n' >/proc/sys/kernel/hostname"]);
      return started;
    },
  },
  accepted('an IPv6 address', { identity: 'debian', isIpv6: true }, 'debian'),
  accepted('an sshd with post-quantum key exchange only, over openssh', POST_QUANTUM, 'debian', OVER_OPENSSH),
  accepted('a user with sudo and fish, over openssh', user('/usr/bin/fish'), 'debian', {
    ...AS_CORE,
    ...OVER_OPENSSH,
  }),
  {
    ...accepted('an sshd that starts late', { identity: 'debian', isOff: true }, 'debian'),
    afterEnrolment: host => host.powerOn(),
  },
];

let listeners = 0;

/** A listener without a host. */
const listener = (onConnection: (socket: net.Socket) => void) => async (): Promise<StartedHost> => {
  const sockets = new Set<net.Socket>();
  const server = net.createServer(socket => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket);
  });
  listeners += 1;
  // Below the addresses of light hosts.
  const address = `127.63.${process.pid % 250}.${listeners}`;
  const port = await listen(server, address);
  return {
    address,
    port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

const rejected = (
  name: string,
  start: EnrolmentCase['start'],
  reason: RegExp,
  enrolWith: object = {},
): EnrolmentCase => ({
  ...{ name, start, reason, enrolWith },
  status: 'failed',
  os: '',
});

/** Long enough for all logins on a busy machine: a timeout causes a retry and a second login. */
export const CONNECT_TIMEOUT_S = 10;

export const HANGS = 'a listener that accepts the connection and hangs';

export const rejectedHosts: readonly EnrolmentCase[] = [
  {
    ...rejected('an unsupported operating system', light({ identity: 'minimal' }), /^unsupported_os: /),
    os: 'other',
  },
  rejected(
    HANGS,
    listener(() => {}),
    new RegExp(`^timed_out: no response within ${CONNECT_TIMEOUT_S} s$`),
  ),
  rejected(
    'a listener that drops the connection during the handshake',
    listener(socket => {
      socket.write('SSH-2.0-OpenSSH_9.2\r\n');
      socket.on('data', () => socket.resetAndDestroy());
    }),
    /^unreachable: .*closed the connection/,
  ),
  rejected(
    'a listener that is not an sshd',
    listener(socket => socket.write('220 mail.example ESMTP\r\n'.repeat(2000))),
    /^unreachable: |^timed_out: /,
  ),
  rejected(
    'a host that presents another key than the pinned one',
    light({ identity: 'debian' }),
    /^host_key_changed: the host presented the key SHA256:\S{43}, which is not one of its known keys$/,
    { host_keys: [OTHER_HOST_KEY] },
  ),
  rejected(
    'a host whose keys have another type than the pinned one',
    light({ identity: 'debian', hostKeyTypes: ['ecdsa'] }),
    /^host_key_changed: the host presented the key SHA256:/,
    { host_keys: [OTHER_HOST_KEY] },
  ),
  {
    ...rejected(
      'a host that floods the server with output',
      light(user('/bin/bash', { profile: 'cat /dev/zero\n' })),
      /^timed_out: the output exceeded the limit of 16 MiB; the connection was closed$/,
      AS_CORE,
    ),
  },
  rejected(
    'an sshd with post-quantum key exchange only, over ssh',
    light(POST_QUANTUM),
    /^unreachable: the host supports no key exchange algorithm .* the transport openssh may support one$/,
  ),
  rejected(
    'a host that presents another key than the pinned one, over openssh',
    light({ identity: 'debian' }),
    /^host_key_changed: the host presented the key SHA256:\S{43}, which is not one of its known keys$/,
    { host_keys: [OTHER_HOST_KEY], ...OVER_OPENSSH },
  ),
  rejected(
    'a host that accepts any login, over openssh',
    async () => {
      const sshdOptions = ['PasswordAuthentication yes', 'PermitEmptyPasswords yes'];
      const started = await light({ ...user('/bin/bash'), sshdOptions })();
      await started.host?.runChecked(['usermod', '-p', '', 'core']);
      return started;
    },
    /^auth_rejected: login succeeded without the key/,
    { ...AS_CORE, ...OVER_OPENSSH },
  ),
  rejected(
    'a host that rejects the key, over openssh',
    light({ identity: 'debian', sshdOptions: ['AuthorizedKeysFile none'] }),
    /^auth_rejected: /,
    OVER_OPENSSH,
  ),
  rejected(
    'a host that rejects the key',
    light({ identity: 'debian', sshdOptions: ['AuthorizedKeysFile none'] }),
    /^auth_rejected: the host rejected the user root with this key$/,
  ),
  rejected(
    'a login shell that rejects logins',
    light(user('/usr/sbin/nologin')),
    /^no_shell: the login shell of core does not run .*: This account is currently not available\.$/,
    AS_CORE,
  ),
  {
    ...rejected(
      'a user whose sudo asks for a password',
      light(user('/bin/bash', { sudo: 'with password' })),
      /^not_root: .*sudo: a password is required$/,
      AS_CORE,
    ),
    os: 'debian',
  },
  {
    ...rejected('a user without sudo', light(user('/bin/sh', { sudo: 'none' })), /^not_root: /, AS_CORE),
    os: 'debian',
  },
];

export const enrolmentOf = async ({ enrolWith }: EnrolmentCase, { port }: StartedHost): Promise<object> => ({
  ssh_priv_key: (await loginKey()).privateKeyBase64,
  ssh_port: port,
  ...enrolWith,
});
