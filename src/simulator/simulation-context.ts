import { hash } from 'node:crypto';
import type { Address } from '../domain/addresses/address.ts';
import type { Secret } from '../domain/secret.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { Fault } from './faults.ts';
import type { CommandSimulator } from './simulated-machine.ts';

/** How long things take. What takes no time sets no timer, and is answered at once. */
export interface Latencies {
  readonly connectMs: number;
  readonly commandMs: number;
  /** From the command that asks for a reboot until the host goes down. */
  readonly rebootDelayMs: number;
  /** From there until it can be connected to again. */
  readonly bootMs: number;
}

export const DEFAULT_LATENCIES: Latencies = {
  connectMs: 30,
  commandMs: 20,
  rebootDelayMs: 200,
  bootMs: 20_000,
};

/** What the whole fleet has seen. */
export interface Counters {
  /** Tries to connect, however they ended. */
  connectAttempts: number;
  connectionsOpen: number;
  /** The most that were open at once. */
  maxConnectionsOpen: number;
  connectionsTotal: number;
  /** Commands that reached a host. */
  commands: number;
}

/** What all hosts of a fleet share. */
export interface SimulationContext {
  readonly clock: TimerClock;
  readonly seed: number;
  readonly latencies: Latencies;
  readonly journalLength: number;
  /** Asked after the fake of a host's own system. */
  readonly commonSimulators: readonly CommandSimulator[];
  readonly counters: Counters;
  /** Called when a host goes down. */
  onDown: DownObserver | undefined;
}

/** Why a host went down: `asked`: a command requested a reboot; `by_itself`: a fault or the power switch. */
export type DownCause = 'requested' | 'unrequested';

export type DownObserver = (host: Address, cause: DownCause) => void;

/** Goes on after so long; at once, and without a timer, when that is no time. */
export function runAfter({ clock }: SimulationContext, ms: number, next: () => void): void {
  if (ms <= 0) next();
  else clock.setTimer(ms, next);
}

/** What a pretend host is like. Many hosts may share one. */
export interface SimulatedHostSpec {
  /** One of the `os` that the fakes have a blueprint of. */
  readonly os: string;
  readonly hostname?: string;
  /** The only user who is let in. Default: every user. */
  readonly user?: string;
  /** The private keys that let in. Default: every key. */
  readonly acceptedKeys?: readonly Secret[];
  /** Whether sudo asks users for no password. Default: it asks for none. */
  readonly canSudo?: boolean;
  /** Added to every connecting and every command. */
  readonly latencyMs?: number;
  readonly bootMs?: number;
  readonly faults?: readonly Fault[];
}

// Whatever looks random in the simulator is derived from its seed and from what it is for. So it is the same in every run, and
// does not depend on which host was asked first.

const deriveBytes = (seed: number, label: string): Buffer => hash('sha256', `${seed} ${label}`, 'buffer');

/** What every ed25519 key begins with: its type, and the length of what follows. */
const ED25519_KEY_PREFIX = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20', 'latin1');

/** A public host key as in `/etc/ssh/ssh_host_ed25519_key.pub`, of which nobody has the private half. */
export const deriveHostKey = (seed: number, label: string): string =>
  `ssh-ed25519 ${Buffer.concat([ED25519_KEY_PREFIX, deriveBytes(seed, label)]).toString('base64')}`;

/** As in `/proc/sys/kernel/random/boot_id`. */
export const deriveBootId = (seed: number, label: string): string =>
  deriveBytes(seed, label)
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');

/** From 0 up to, not including, 1. */
export const deriveRandom = (seed: number, label: string): number =>
  deriveBytes(seed, label).readUInt32BE(0) / 2 ** 32;
