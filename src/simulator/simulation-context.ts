import { hash } from 'node:crypto';
import type { Address } from '../domain/addresses/address.ts';
import type { Secret } from '../domain/secret.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { Fault } from './faults.ts';
import type { CommandSimulator } from './simulated-machine.ts';

/** A latency of 0 sets no timer. */
export interface Latencies {
  readonly connectMs: number;
  readonly commandMs: number;
  /** From the reboot command until the host goes down. */
  readonly rebootDelayMs: number;
  /** From there until the host accepts connections again. */
  readonly bootMs: number;
}

export const DEFAULT_LATENCIES: Latencies = {
  connectMs: 30,
  commandMs: 20,
  rebootDelayMs: 200,
  bootMs: 20_000,
};

export interface Counters {
  connectAttempts: number;
  connectionsOpen: number;
  maxConnectionsOpen: number;
  connectionsTotal: number;
  commands: number;
}

export interface SimulationContext {
  readonly clock: TimerClock;
  readonly seed: number;
  readonly latencies: Latencies;
  readonly journalLength: number;
  /** Tried after the simulator of the OS. */
  readonly commonSimulators: readonly CommandSimulator[];
  readonly counters: Counters;
  onDown: DownObserver | undefined;
}

/** `requested`: a command requested a reboot. `unrequested`: a fault or a power-off. */
export type DownCause = 'requested' | 'unrequested';

export type DownObserver = (host: Address, cause: DownCause) => void;

/** Runs immediately and without a timer if `ms` is 0. */
export function runAfter({ clock }: SimulationContext, ms: number, next: () => void): void {
  if (ms <= 0) next();
  else clock.setTimer(ms, next);
}

export interface SimulatedHostSpec {
  readonly os: string;
  readonly hostname?: string;
  /** The only accepted user. Default: every user. */
  readonly user?: string;
  /** The accepted private keys. Default: every key. */
  readonly acceptedKeys?: readonly Secret[];
  /** Whether sudo works without a password. Default: true. */
  readonly canSudo?: boolean;
  readonly bootMs?: number;
  readonly faults?: readonly Fault[];
}

// All random values are derived from the seed and a label. They are the same in every run and do not depend on the
// order of calls.

const deriveBytes = (seed: number, label: string): Buffer => hash('sha256', `${seed} ${label}`, 'buffer');

/** The key type and the length of the key, at the start of every ed25519 key blob. */
const ED25519_KEY_PREFIX = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20', 'latin1');

/** A public host key in the format of `/etc/ssh/ssh_host_ed25519_key.pub`, without a private key. */
export const deriveHostKey = (seed: number, label: string): string =>
  `ssh-ed25519 ${Buffer.concat([ED25519_KEY_PREFIX, deriveBytes(seed, label)]).toString('base64')}`;

/** In the format of `/proc/sys/kernel/random/boot_id`. */
export const deriveBootId = (seed: number, label: string): string =>
  deriveBytes(seed, label)
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');

export const deriveRandom = (seed: number, label: string): number => deriveBytes(seed, label).readUInt32BE(0) / 2 ** 32;
