import type { Address } from '../../../domain/addresses/address.ts';
import type { AlarmClock } from '../../../lib/time/clock.ts';
import type { MachineFake } from '../../machine.ts';

/** How long things take. What takes no time sets no timer, and is answered at once. */
export interface Times {
  readonly connectMs: number;
  readonly commandMs: number;
  /** From the command that asks for a reboot until the host goes down. */
  readonly rebootDelayMs: number;
  /** From there until it can be connected to again. */
  readonly bootMs: number;
}

export const DEFAULT_TIMES: Times = { connectMs: 30, commandMs: 20, rebootDelayMs: 200, bootMs: 20_000 };

/** What the whole fleet has seen. */
export interface Counters {
  /** Tries to connect, however they ended. */
  connects: number;
  connectionsOpen: number;
  /** The most that were open at once. */
  connectionsMost: number;
  connectionsEver: number;
  /** Commands that reached a host. */
  commands: number;
}

/** What all hosts of a fleet share. */
export interface World {
  readonly clock: AlarmClock;
  readonly seed: number;
  readonly times: Times;
  readonly journalLength: number;
  /** Asked after the fake of a host's own system. */
  readonly commonFakes: readonly MachineFake[];
  readonly counters: Counters;
  /** Called when a host goes down. */
  onDown: DownObserver | undefined;
}

/** Why a host went down: `asked`: a command requested a reboot; `by_itself`: a fault or the power switch. */
export type DownCause = 'asked' | 'by_itself';

export type DownObserver = (host: Address, cause: DownCause) => void;

/** Goes on after so long; at once, and without a timer, when that is no time. */
export function wait({ clock }: World, ms: number, next: () => void): void {
  if (ms <= 0) next();
  else clock.after(ms, next);
}
