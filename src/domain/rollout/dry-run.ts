// As far as known without connecting to the host.

import type { Argv } from '../command.ts';
import type { ReasonText } from '../hosts/reason-text.ts';
import type { HostPhase } from '../vocabulary.ts';
import type { ClusterOperation } from './operation.ts';

export interface DryRunCommand {
  readonly step: string;
  readonly phase: HostPhase;
  /** null: a request to the container manager, not a command on the host. */
  readonly argv: Argv | null;
  /** An explanation or condition for users. */
  readonly detail: string;
}

export interface HostDryRun {
  readonly commands: readonly DryRunCommand[];
  /** Why the operation would fail on the host, wait for it or skip it. */
  readonly problem: ReasonText | '';
  /** Whether the host would fail its preflight. */
  readonly isExpectedToFail: boolean;
}

export interface DryRunInput extends Pick<ClusterOperation, 'kind' | 'cluster' | 'version' | 'policy'> {
  /** Of the machines that run Hostler servers. */
  readonly serverBootIds: readonly string[];
}
