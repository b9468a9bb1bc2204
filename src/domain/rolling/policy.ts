// How an operation goes about a cluster: what people may choose, and what holds where they choose nothing.

import type { Address } from '../address.ts';
import type { Argv } from '../command.ts';
import type { DrainTimeoutRule, FailureRule, RebootRule } from '../vocabulary.ts';
import type { MaintenanceWindow } from './window.ts';

/** A number of hosts, or a part of them as `25%`. */
export type Amount = number | `${number}%`;

export interface DrainPolicy {
  readonly timeoutS: number;
  readonly onTimeout: DrainTimeoutRule;
}

export interface Timeouts {
  readonly stageS: number;
  readonly applyS: number;
  readonly rebootS: number;
  readonly readyS: number;
}

/** A whole policy: nothing in it is left open. */
export interface Policy {
  readonly maxUnavailable: Amount;
  readonly canary: number;
  readonly ramp: boolean;
  readonly maxFailures: Amount;
  readonly onFailure: FailureRule;
  /** Only these members; null: all. */
  readonly hosts: readonly Address[] | null;
  /** Only members that carry each of these, written `key=value` or `key`. */
  readonly labels: readonly string[];
  /** Those that are not in the list come after it, by address. */
  readonly order: 'address' | readonly Address[];
  readonly stageParallel: number;
  /** null: nodes are neither cordoned nor drained. */
  readonly drain: DrainPolicy | null;
  readonly reboot: RebootRule;
  /** Must end with 0 on a host before it counts as healthy. */
  readonly check: Argv | null;
  readonly timeouts: Timeouts;
  readonly minHealthyS: number;
  /** null: at any time. */
  readonly window: MaintenanceWindow | null;
}
