// A transport runs commands on hosts. It is given everything it needs to know of a host, keeps nothing, and answers what happened:
// how a command ended, or a `TransportFailure`. What must hold: no command reaches a host that shows a key that was not given;
// whatever the signal calls off (`unreachable`, as if the connection had been cut, by us) or the limit of time ends (`timed_out`) is
// answered at once; no secret is in what it answers.

import type { Address } from '../../domain/addresses/address.ts';
import type { Argv, CommandResult } from '../../domain/command.ts';
import type { Secret } from '../../domain/secret.ts';
import type { TransportFailure } from '../../domain/transport-failure.ts';

/** How to get into a host. */
export interface Target {
  readonly address: Address;
  readonly port: number;
  readonly user: string;
  /** The base64 text of a private key. */
  readonly privateKey: Secret;
  /** The public keys that the host may show; empty: whatever it shows is trusted. */
  readonly hostKeys: readonly string[];
  /** The type of the transport that the host asks for; missing or empty: whichever is the standard. */
  readonly transport?: string;
}

export interface CallLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Asked right before something is sent: a server that slept may have lost what allowed it to, and not know yet. */
  readonly mayProceed?: () => boolean;
}

export interface RunOptions extends CallLimits {
  /** With the rights of root: by sudo without a password where the user is another. Default: as the user. */
  readonly asRoot?: boolean;
  /** What the command reads: text that ends with a line. It is in no list of processes. Default: nothing. */
  readonly input?: Secret;
}

/** Of each stream of output this much is kept, and what follows is dropped, so that no host can fill our memory. */
export const MAX_OUTPUT_BYTES = 262_144;

/** What of both streams comes after that is dropped, up to here; a host that says even more is cut off (`timed_out`). */
export const MAX_RECEIVED_BYTES = 16_777_216;

export interface Connection {
  /** The key that the host has shown, as in `/etc/ssh/ssh_host_*_key.pub`, without a comment. */
  readonly hostKey: string;
  /** Several may run at once. A failure of one closes the connection: whether the host still listens, nobody knows. */
  run(argv: Argv, options: RunOptions): Promise<CommandResult | TransportFailure>;
  /** What still runs is answered `unreachable`, and may go on at the host. Never fails, and may be repeated. */
  close(): void;
}

export interface ConnectLimits extends CallLimits {
  /**
   * How long the host may take to accept the TCP connection, before the login. A transport that cannot tell the two apart ignores it.
   * Default: `timeoutMs`.
   */
  readonly tcpTimeoutMs?: number | undefined;
}

export interface Transport {
  connect(target: Target, limits: ConnectLimits): Promise<Connection | TransportFailure>;
}

// Types and summaries of the transports for real hosts, without their code, so that the settings can be read without loading it.

/** The first type is the default. */
export const TRANSPORT_TYPES = ['ssh', 'openssh'] as const;

export type TransportType = (typeof TRANSPORT_TYPES)[number];

const SUMMARIES: Readonly<Record<TransportType, string>> = {
  ssh: 'SSH client that is built into Hostler',
  openssh: 'OpenSSH: the program ssh on the server machine',
};

export interface KnownTransport {
  readonly type: string;
  readonly summary: string;
}

export const KNOWN_TRANSPORTS: readonly KnownTransport[] = TRANSPORT_TYPES.map(type => ({
  type,
  summary: SUMMARIES[type],
}));
