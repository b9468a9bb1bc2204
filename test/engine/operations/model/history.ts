// A history of a cluster as data: its setup and its actions with their times. The same history always runs
// the same way.

import { inspect } from 'node:util';
import type { PolicyInput } from '../../../../src/domain/rollout/policy.ts';
import type { OperationKind } from '../../../../src/domain/vocabulary.ts';
import type { Fault } from '../../../../src/simulator/faults.ts';
import type { FaultAtCommit, SimulatedServerFault } from '../../../harness/simulation/server-control.ts';
import type { PodSpec } from '../../../harness/simulation/simulated-node.ts';

/** Members first, then hosts that may join. */
export type HostIndex = number;

export interface OperationRequest {
  readonly kind: OperationKind;
  readonly version: string;
  readonly policy: PolicyInput;
}

export interface Setup {
  /** Operating systems of the members. */
  readonly members: readonly string[];
  /** Operating systems of hosts that are enrolled and in no cluster. */
  readonly others: readonly string[];
  readonly manager: 'none' | 'trivial' | 'simulated';
  /** Nodes that an administrator cordoned before the operation. */
  readonly cordoned: readonly HostIndex[];
  readonly controlPlane: readonly HostIndex[];
  /** Duration of a boot. */
  readonly bootMs: number;
  /** Delay after a boot until the container manager detects it, and until it reports the node as ready. */
  readonly bootDelays: { readonly reportedAfterMs: number; readonly readyAfterMs: number };
  readonly pods: readonly { readonly host: HostIndex; readonly pod: PodSpec }[];
  readonly request: OperationRequest;
  readonly servers: 1 | 2;
  /** Each of the first servers has one of these faults. Later servers have none. */
  readonly faultsAtCommits: readonly FaultAtCommit[];
  /** Requests for an operation that stopped before it finished. Afterwards it is cancelled. */
  readonly finalRequests: readonly ('retry' | 'resume' | 'skip')[];
}

/** `failed`: all failed hosts. `first failed`: one of them. */
export type HostSelection = readonly HostIndex[] | 'failed' | 'first failed';

export type Action =
  | { readonly type: 'add fault'; readonly host: HostIndex; readonly fault: Fault }
  | { readonly type: 'clear faults' | 'replay reboot'; readonly host: HostIndex }
  | { readonly type: 'power'; readonly host: HostIndex; readonly isOn: boolean }
  /** Affects one server by default. */
  | { readonly type: 'inject'; readonly fault: Exclude<SimulatedServerFault, 'cut_store'>; readonly servers?: 'all' }
  | { readonly type: 'inject'; readonly fault: 'cut_store'; readonly times: number }
  | { readonly type: 'inject' | 'revert'; readonly fault: 'fail_manager' }
  /** Affects all servers. For `kill_server` a server starts if one is missing. */
  | { readonly type: 'revert'; readonly fault: SimulatedServerFault }
  | { readonly type: 'leave'; readonly host: HostIndex | 'first failed' }
  | { readonly type: 'join' | 'remove' | 'enrol' | 'bootstrap' | 'accept key'; readonly host: HostIndex }
  | { readonly type: 'maintenance'; readonly host: HostIndex; readonly isOn: boolean }
  | { readonly type: 'pause' | 'resume' | 'cancel' | 'pause all' | 'resume all' }
  | { readonly type: 'retry'; readonly hosts: HostSelection; readonly exclude?: readonly HostIndex[] }
  | { readonly type: 'skip'; readonly hosts: HostSelection }
  | { readonly type: 'repeat request' }
  | { readonly type: 'request'; readonly request: OperationRequest }
  | { readonly type: 'add pod'; readonly host: HostIndex; readonly pod: PodSpec }
  | { readonly type: 'admin cordon' | 'admin uncordon'; readonly host: HostIndex };

export interface Event {
  /** Relative to the first request; negative before it. */
  readonly atMs: number;
  readonly action: Action;
}

export interface History {
  readonly seed: number;
  readonly setup: Setup;
  /** Sorted by time. */
  readonly events: readonly Event[];
}

/** One server restarts two hosts, one after the other, without faults. */
export const DEFAULT_SETUP: Setup = {
  members: ['debian', 'fedora'],
  others: [],
  manager: 'trivial',
  cordoned: [],
  controlPlane: [],
  bootMs: 20_000,
  bootDelays: { reportedAfterMs: 0, readyAfterMs: 0 },
  pods: [],
  request: { kind: 'restart', version: '', policy: { minHealthyS: 1 } },
  servers: 1,
  faultsAtCommits: [],
  finalRequests: [],
};

const format = (value: unknown) => inspect(value, { depth: 6, breakLength: 140 });

export function formatHistory({ seed, setup, events }: History): string {
  const { request, ...rest } = setup;
  return [
    `history ${seed}`,
    ...Object.entries(rest).map(([name, value]) => `  ${name}: ${format(value)}`),
    `  request: ${format(request)}`,
    ...events.map(({ atMs, action: { type, ...more } }) => `  ${atMs} ms: ${type} ${format(more)}`),
  ].join('\n');
}
