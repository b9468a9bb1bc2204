// What a driver has a host do. The driver says it and runs nothing: the engine does, as root. What must hold: each command may be run
// again, also after it was broken off half way; a secret is in an input and nowhere else; one that can never succeed ends with `NEVER`.

import type { Argv, HostQuery } from '../domain/command.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { Secret } from '../domain/secret.ts';

/** What drivers are told of a host that comes or goes. */
export type HostRef = Pick<Host, 'address' | 'hostname'>;

export interface HostCommand {
  readonly argv: Argv;
  /**
   * What it reads: text that ends with a line. A command with an input is run at once and is over soon; one without is a job, which
   * outlives the connection.
   */
  readonly input?: Secret;
}

export interface CommandPlan {
  /** Programs that must be there before anything is run. */
  readonly requiredPrograms: readonly string[];
  /** What people do about one that is missing. */
  readonly installHint: string;
  /** One after the other. */
  readonly commands: readonly HostCommand[];
  /** Asked after the commands: what is still missing, `''` when nothing is. It is asked again until then. */
  readonly readyQuery?: HostQuery<string>;
}

/** What came of asking the server that a record describes. One that does not answer is told by throwing, with a message for people. */
export interface ConnectionCheck {
  /** As the server calls itself; `''` where there is none, or it does not say. */
  readonly version: string;
  /** What is wrong with the options, or has to be put right at the server; empty: nothing. */
  readonly problems: readonly string[];
}
