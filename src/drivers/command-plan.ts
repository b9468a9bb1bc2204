// The engine runs these commands as root. Each must be safe to repeat, also after an interruption. Secrets belong in
// the input only. A command that can never succeed exits with `EXIT_PERMANENT_FAILURE`.

import type { Argv, HostQuery } from '../domain/command.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { Secret } from '../domain/secret.ts';

export type HostRef = Pick<Host, 'address' | 'hostname'>;

export interface HostCommand {
  readonly argv: Argv;
  /** Ends with a newline. A command with input runs at once; one without is a job that survives a lost connection. */
  readonly input?: Secret;
}

export interface CommandPlan {
  /** Programs that must be installed before the first command runs. Users see the hint if one is missing. */
  readonly requires?: { readonly programs: readonly string[]; readonly installHint: string };
  readonly commands: readonly HostCommand[];
  /** Runs repeatedly after the commands until it returns `''`. Any other text says what is still missing. */
  readonly readyQuery?: HostQuery<string>;
}

/** If the server does not respond, the test throws an error with a message for the user. */
export interface ConnectionCheck {
  /** As reported by the server; `''` if unknown. */
  readonly version: string;
  readonly problems: readonly string[];
}
