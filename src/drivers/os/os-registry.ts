import type { Question } from '../../domain/command.ts';
import type { HostFacts, Pulse } from '../../domain/hosts/host-facts.ts';
import type { OsDriver } from './os-driver.ts';

/** Whether a host has come up after a boot. */
export interface Readiness {
  readonly bootId: string;
  readonly isUp: boolean;
  /** For people, in our own words. */
  readonly detail: string;
}

/** All OS drivers, and what is asked of a host before it is known which of them is its own. Nothing in it needs root. */
export interface OsRegistry {
  readonly drivers: readonly OsDriver[];
  /** Every `os` that a host can have, `other` among them. */
  readonly systems: readonly string[];
  /** Everything about a host, in one command. */
  readonly facts: Question<HostFacts>;
  /** Whether it is alive, and still the same boot: as cheap as a command can be. */
  readonly pulse: Question<Pulse>;
  /** Whether the system has finished booting, and which boot it is; cheap enough to be asked every few seconds. */
  readonly readiness: Question<Readiness>;
}
