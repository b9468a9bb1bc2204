// A history of a cluster, as data: what is there at the beginning, and what happens to it when. The same history always goes the same way.

import type { PolicyWish } from '../../../../src/domain/rolling/policy.ts';
import type { OperationKind } from '../../../../src/domain/vocabulary.ts';
import type { Fault } from '../../../../src/drivers/transport/sim/faults.ts';
import type { Crash } from '../../../harness/simulation/killable-server.ts';
import type { PodSpec } from '../../../harness/simulation/simulated-pods.ts';

/** The place of a host: members first, then those that may join. */
export type HostPlace = number;

/** What people ask for. */
export interface Asked {
  readonly kind: OperationKind;
  readonly version: string;
  readonly wish: PolicyWish;
}

export interface Setup {
  /** The systems of the members. */
  readonly members: readonly string[];
  /** Those of hosts that are known and in no cluster. */
  readonly others: readonly string[];
  readonly manager: 'none' | 'trivial' | 'simulated';
  /** Nodes that people have cordoned before. */
  readonly foreign: readonly HostPlace[];
  readonly controlPlane: readonly HostPlace[];
  /** A node is heard of so late after a boot, and ready so late. */
  readonly bootDelays: { readonly heardAfterMs: number; readonly readyAfterMs: number };
  readonly pods: readonly { readonly host: HostPlace; readonly pod: PodSpec }[];
  readonly asked: Asked;
  /** At once; with one, the next begins when it is dead. */
  readonly servers: 1 | 2;
  /** How the first servers die, one after the other; the one after them lives. */
  readonly deaths: readonly Crash[];
  /** What people ask of an operation that has come to rest before it was finished. Then they cancel it. */
  readonly lastWords: readonly ('retry' | 'resume' | 'skip')[];
}

export type Deed =
  | { readonly do: 'suffer'; readonly host: HostPlace; readonly fault: Fault }
  | { readonly do: 'recover' | 'late reboot'; readonly host: HostPlace }
  | { readonly do: 'power'; readonly host: HostPlace; readonly isOn: boolean }
  | { readonly do: 'kill server' | 'start server' | 'freeze server' | 'thaw servers' }
  | { readonly do: 'cut off store'; readonly transactions: number }
  | {
      readonly do: 'join' | 'leave' | 'remove' | 'enrol' | 'bootstrap' | 'accept key';
      readonly host: HostPlace;
    }
  | { readonly do: 'maintenance'; readonly host: HostPlace; readonly isOn: boolean }
  | { readonly do: 'pause' | 'resume' | 'cancel' | 'hold' | 'release' }
  | { readonly do: 'retry' | 'skip'; readonly hosts: readonly HostPlace[] | 'failed' }
  | { readonly do: 'ask again' }
  | { readonly do: 'ask'; readonly asked: Asked }
  | { readonly do: 'break manager' | 'mend manager' }
  | { readonly do: 'add pod'; readonly host: HostPlace; readonly pod: PodSpec }
  | { readonly do: 'people cordon' | 'people uncordon'; readonly host: HostPlace };

export interface Event {
  /** Since the operation was asked for. */
  readonly atMs: number;
  readonly deed: Deed;
}

export interface History {
  readonly seed: number;
  readonly setup: Setup;
  /** In the order in which they happen. */
  readonly events: readonly Event[];
}
