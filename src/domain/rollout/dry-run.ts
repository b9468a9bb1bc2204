// What an operation would do on a host, as far as it is known before anybody has looked at the host.

import type { Argv } from '../command.ts';
import type { ReasonText } from '../hosts/reason-text.ts';
import type { HostPhase } from '../vocabulary.ts';
import type { ClusterOperation } from './operation.ts';

export interface DryRunCommand {
  readonly step: string;
  readonly phase: HostPhase;
  /** null: it is not run on the host, but asked of the container manager. */
  readonly argv: Argv | null;
  /** For people: what is asked, or on what it depends; `''`: nothing is to be said. */
  readonly detail: string;
}

export interface HostDryRun {
  /** In the order in which they would be run. */
  readonly commands: readonly DryRunCommand[];
  /** Why the operation would fail on the host, or leave it alone; `''`: nothing is known. */
  readonly problem: ReasonText | '';
}

/** What it is foreseen for. */
export interface DryRunInput extends Pick<ClusterOperation, 'kind' | 'cluster' | 'version' | 'policy'> {
  /** Of the machines that servers run on. */
  readonly serverBootIds: readonly string[];
}
