// Hosts to be enrolled, good and bad: each is a real machine with an OpenSSH of its own, or something that listens in its place. And
// what has to become of each.

import net from 'node:net';
import type { HostStatus } from '../../src/domain/vocabulary.ts';
import type { HostUser } from '../harness/hosts/accounts.ts';
import type { Identity } from '../harness/hosts/identities.ts';
import type { LightHost } from '../harness/hosts/light-host.ts';
import type { LightHostOptions } from '../harness/hosts/light-host-configuration.ts';
import { loginKey } from '../harness/hosts/login-key.ts';
import { startLightHost } from '../harness/hosts/start-light-host.ts';
import { OTHER_HOST_KEY } from '../harness/keys.ts';
import { listen } from '../harness/listen.ts';

export interface Guest {
  readonly what: string;
  readonly status: HostStatus;
  readonly os: string;
  /** Why it failed. */
  readonly reason?: RegExp;
  readonly enrolWith?: object;
  start(): Promise<Place>;
  /** Once it is enrolled. */
  afterwards?(host: LightHost): Promise<void>;
}

export interface Place {
  readonly address: string;
  readonly port: number;
  readonly host?: LightHost;
  stop(): Promise<void>;
}

const light = (options: LightHostOptions) => async (): Promise<Place> => {
  const host = await startLightHost(options);
  return { address: host.address, port: host.port, host, stop: () => host.stop() };
};

const good = (what: string, options: LightHostOptions, os: string, enrolWith: object = {}): Guest => ({
  what,
  status: 'disassociated',
  os,
  enrolWith,
  start: light(options),
});

const user = (shell: string, more: Partial<HostUser> = {}): LightHostOptions => ({
  identity: 'debian',
  users: [{ name: 'core', shell, sudo: 'free', ...more }],
});
const AS_CORE = { remote_user: 'core' };

const BY_OPENSSH = { transport: 'openssh' };
const POST_QUANTUM: LightHostOptions = {
  identity: 'debian',
  sshdOptions: ['KexAlgorithms sntrup761x25519-sha512@openssh.com'],
};

const NOISE = 'echo "Welcome to this machine"; echo "It is watched" >&2\n';

const systems: readonly (readonly [Identity, string])[] = [
  ['fedora-coreos', 'coreos'],
  ['debian', 'debian'],
  ['centos', 'centos'],
];

export const goodGuests: readonly Guest[] = [
  ...systems.map(([identity, os]) => good(`a host with ${identity}`, { identity }, os)),
  good('a user with sudo and bash', user('/bin/bash'), 'debian', AS_CORE),
  good('a user whose login shell is fish', user('/usr/bin/fish'), 'debian', AS_CORE),
  good('a user whose login shell is tcsh', user('/bin/tcsh'), 'debian', AS_CORE),
  good('a user whose bash greets', user('/bin/bash', { profile: NOISE }), 'debian', AS_CORE),
  good('a user whose fish greets', user('/usr/bin/fish', { profile: 'echo Welcome\n' }), 'debian', AS_CORE),
  good('a user whose tcsh greets', user('/bin/tcsh', { profile: 'echo "Welcome"\n' }), 'debian', AS_CORE),
  good(
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
    ...good(
      'a host that would break a terminal with what it says of itself',
      { identity: 'debian' },
      'debian',
    ),
    start: async () => {
      const place = await light({ identity: 'debian', sshdOptions: ['Banner /etc/issue'] })();
      await place.host?.write('/etc/issue', '\u001b[2J\u001b]0;owned\u0007Welcome\n'.repeat(50));
      await place.host?.write(
        '/etc/os-release',
        'ID=debian\nVERSION_ID="\u001b[31m12"\nPRETTY_NAME="\u202e\u0007"\n',
      );
      await place.host?.must(['sh', '-c', "printf '\\033[2Jevil\\n' >/proc/sys/kernel/hostname"]);
      return place;
    },
  },
  good('an address of IPv6', { identity: 'debian', isIpv6: true }, 'debian'),
  good('an sshd that speaks post-quantum only, by openssh', POST_QUANTUM, 'debian', BY_OPENSSH),
  good('a user with sudo and fish, by openssh', user('/usr/bin/fish'), 'debian', {
    ...AS_CORE,
    ...BY_OPENSSH,
  }),
  {
    ...good('an sshd that starts late', { identity: 'debian', isOff: true }, 'debian'),
    afterwards: host => host.powerOn(),
  },
];

let listeners = 0;

/** Something that listens where a host should. */
const listener = (greet: (socket: net.Socket) => void) => async (): Promise<Place> => {
  const sockets = new Set<net.Socket>();
  const server = net.createServer(socket => {
    sockets.add(socket.on('error', () => {}));
    greet(socket);
  });
  listeners += 1;
  // Below the addresses of light hosts, and each its own.
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

const bad = (what: string, start: Guest['start'], reason: RegExp, enrolWith: object = {}): Guest => ({
  ...{ what, start, reason, enrolWith },
  status: 'failed',
  os: '',
});

export const HANGS = 'something that takes the connection and hangs';

export const badGuests: readonly Guest[] = [
  {
    ...bad('a system that no driver knows', light({ identity: 'minimal' }), /^unsupported_os: /),
    os: 'other',
  },
  bad(
    HANGS,
    listener(() => {}),
    /^timed_out: no response within 3 s$/,
  ),
  bad(
    'something that drops the connection in the middle of the handshake',
    listener(socket => {
      socket.write('SSH-2.0-OpenSSH_9.2\r\n');
      socket.on('data', () => socket.resetAndDestroy());
    }),
    /^unreachable: .*closed the connection/,
  ),
  bad(
    'something that is no sshd',
    listener(socket => socket.write('220 mail.example ESMTP\r\n'.repeat(2000))),
    /^unreachable: |^timed_out: /,
  ),
  bad(
    'a host that shows another key than was pinned',
    light({ identity: 'debian' }),
    /^host_key_changed: the host presented the key SHA256:\S{43}, which is not one of its known keys$/,
    { host_keys: [OTHER_HOST_KEY] },
  ),
  bad(
    'a host that has only keys of another type than was pinned',
    light({ identity: 'debian', hostKeyTypes: ['ecdsa'] }),
    /^host_key_changed: the host presented the key SHA256:/,
    { host_keys: [OTHER_HOST_KEY] },
  ),
  {
    ...bad(
      'a host that floods us with output',
      light(user('/bin/bash', { profile: 'cat /dev/zero\n' })),
      /^timed_out: the output exceeded the limit of 16 MiB; the connection was closed$/,
      AS_CORE,
    ),
  },
  bad(
    'an sshd that speaks post-quantum only, which the library does not',
    light(POST_QUANTUM),
    /^unreachable: the host supports no key exchange algorithm .* the transport openssh may support one$/,
  ),
  bad(
    'a host that shows another key than was pinned, by openssh',
    light({ identity: 'debian' }),
    /^host_key_changed: the host presented the key SHA256:\S{43}, which is not one of its known keys$/,
    { host_keys: [OTHER_HOST_KEY], ...BY_OPENSSH },
  ),
  bad(
    'a host that lets in whoever comes, by openssh',
    async () => {
      const sshdOptions = ['PasswordAuthentication yes', 'PermitEmptyPasswords yes'];
      const place = await light({ ...user('/bin/bash'), sshdOptions })();
      await place.host?.must(['usermod', '-p', '', 'core']);
      return place;
    },
    /^auth_rejected: login succeeded without the key/,
    { ...AS_CORE, ...BY_OPENSSH },
  ),
  bad(
    'a host that refuses the key, by openssh',
    light({ identity: 'debian', sshdOptions: ['AuthorizedKeysFile none'] }),
    /^auth_rejected: /,
    BY_OPENSSH,
  ),
  bad(
    'a host that refuses the key',
    light({ identity: 'debian', sshdOptions: ['AuthorizedKeysFile none'] }),
    /^auth_rejected: the host rejected the user root with this key$/,
  ),
  bad(
    'a login shell that lets nobody in',
    light(user('/usr/sbin/nologin')),
    /^no_shell: the login shell of core does not run .*: This account is currently not available\.$/,
    AS_CORE,
  ),
  {
    ...bad(
      'a user whose sudo asks for a password',
      light(user('/bin/bash', { sudo: 'with password' })),
      /^not_root: .*sudo: a password is required$/,
      AS_CORE,
    ),
    os: 'debian',
  },
  {
    ...bad('a user without sudo', light(user('/bin/sh', { sudo: 'none' })), /^not_root: /, AS_CORE),
    os: 'debian',
  },
];

/** What is sent to enrol it. */
export const enrolmentOf = async ({ enrolWith }: Guest, { port }: Place): Promise<object> => ({
  ssh_priv_key: (await loginKey()).privateKeyBase64,
  ssh_port: port,
  ...enrolWith,
});
