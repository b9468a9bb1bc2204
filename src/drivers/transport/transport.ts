// Stateless. No command may reach a host with an unknown key. An abort (`unreachable`) or timeout (`timed_out`) settles
// the call immediately. Results contain no secrets.

import type { Address } from '../../domain/addresses/address.ts';
import type { Argv, CommandResult } from '../../domain/command.ts';
import type { Secret } from '../../domain/secret.ts';
import type { TransportFailure } from '../../domain/transport-failure.ts';

export interface Target {
  readonly address: Address;
  readonly port: number;
  readonly user: string;
  /** Base64 of a private key file. */
  readonly privateKey: Secret;
  /** Known public keys of the host. If empty, any key is trusted. */
  readonly hostKeys: readonly string[];
  /** Type of the transport. Default: the default transport. */
  readonly transport?: string;
}

export interface CallLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Checked before each send: a server that was suspended may have lost its lease without noticing. */
  readonly mayProceed?: () => boolean;
}

export interface RunOptions extends CallLimits {
  /** Runs as root, with passwordless sudo for other users. Default: false. */
  readonly asRoot?: boolean;
  /** Standard input, ending with a newline. Does not appear in the process list. Default: empty. */
  readonly input?: Secret;
}

/** Limit per output stream. Further output is discarded, so that a host cannot exhaust the memory of the server. */
export const MAX_OUTPUT_BYTES = 262_144;

/** Limit for both streams including discarded output. Beyond it, the connection is closed (`timed_out`). */
export const MAX_RECEIVED_BYTES = 16_777_216;

export interface Connection {
  /** Presented key in the form of `/etc/ssh/ssh_host_*_key.pub`, without a comment. */
  readonly hostKey: string;
  /** Commands can run concurrently. If one fails, the connection is closed, because its state is unknown. */
  run(argv: Argv, options: RunOptions): Promise<CommandResult | TransportFailure>;
  /** Running commands return `unreachable` and may continue on the host. Never throws; idempotent. */
  close(): void;
}

interface ConnectLimits extends CallLimits {
  /** Until the host accepts the TCP connection. Not every transport can measure it. Default: `timeoutMs`. */
  readonly tcpTimeoutMs?: number | undefined;
}

export interface Transport {
  connect(target: Target, limits: ConnectLimits): Promise<Connection | TransportFailure>;
}

// Types and summaries without the implementation, so that the settings can be read without loading it.

export interface KnownTransport {
  readonly type: string;
  readonly summary: string;
}

/** The first type is the default. */
export const KNOWN_TRANSPORTS = [
  { type: 'ssh', summary: 'SSH client that is built into Hostler' },
  { type: 'openssh', summary: 'OpenSSH: the program ssh on the server machine' },
] as const;

export type TransportType = (typeof KNOWN_TRANSPORTS)[number]['type'];

export const TRANSPORT_TYPES: readonly TransportType[] = KNOWN_TRANSPORTS.map(({ type }) => type);
