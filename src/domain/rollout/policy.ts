// How an operation goes about a cluster: what people may choose, and what holds where they choose nothing. What is asked for with an
// operation goes before what the cluster has of its own, and that before what is built in, field by field.

import type { Address } from '../addresses/address.ts';
import type { Argv } from '../command.ts';
import { POLICY_DEFAULTS } from '../defaults.ts';
import type { FieldError } from '../errors.ts';
import type {
  DrainTimeoutAction,
  OnFailureAction,
  OperationKind,
  RebootMode,
  UnhealthyMode,
} from '../vocabulary.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import { validateWindow } from './maintenance-window.ts';

/** A number of hosts, or a part of them as `25%`. */
export type HostAmount = number | `${number}%`;

export interface DrainPolicy {
  readonly timeoutS: number;
  readonly onTimeout: DrainTimeoutAction;
}

export interface Timeouts {
  readonly stageS: number;
  readonly applyS: number;
  readonly rebootS: number;
  readonly readyS: number;
}

/** What the work on one host depends on. */
export type HostPolicy = Pick<Policy, 'drain' | 'reboot' | 'check' | 'timeouts' | 'minHealthyS'>;

/** A whole policy: nothing in it is left open. */
export interface Policy {
  readonly maxUnavailable: HostAmount;
  readonly canary: number;
  readonly ramp: boolean;
  /** `count`: members that are out of service use the budget. `exclude`: they are left out of the operation and use none of it. */
  readonly unhealthy: UnhealthyMode;
  /** With more unhealthy members than this, an operation that excludes them fails. */
  readonly maxExcluded: HostAmount;
  /** Wait `timeouts.readyS` for members that use all slots, instead of failing at once. */
  readonly wait: boolean;
  readonly maxFailures: HostAmount;
  readonly onFailure: OnFailureAction;
  /** Only these members; null: all. */
  readonly hosts: readonly Address[] | null;
  /** Only members that carry each of these, written `key=value` or `key`. */
  readonly labels: readonly string[];
  /** Those that are not in the list come after it, by address. */
  readonly order: 'address' | readonly Address[];
  readonly stageParallel: number;
  /** null: nodes are neither cordoned nor drained. */
  readonly drain: DrainPolicy | null;
  readonly reboot: RebootMode;
  /** Must end with 0 on a host before it counts as healthy. */
  readonly check: Argv | null;
  readonly timeouts: Timeouts;
  readonly minHealthyS: number;
  /** null: at any time. */
  readonly window: MaintenanceWindow | null;
}

/** `undefined` is not said; null is said, and means none. */
type Input<Whole> = { readonly [Field in keyof Whole]?: Whole[Field] | undefined };

type PlainPolicy = Omit<Policy, 'drain' | 'timeouts'>;

/** What somebody wants of a policy; the rest is left to others. */
export interface PolicyInput extends Input<PlainPolicy> {
  /** `true`: on, however. */
  readonly drain?: boolean | Input<DrainPolicy> | undefined;
  readonly timeouts?: Input<Timeouts> | undefined;
  /** Only to be told what would be done. No operation comes of it, so a whole policy does not have it. */
  readonly isDryRun?: boolean | undefined;
}

const { drain: DRAIN, timeouts: TIMEOUTS, reboot: REBOOT, ...PLAIN } = POLICY_DEFAULTS;

/** Those that come later go before those that come earlier. */
function mergeLayers<Whole extends object>(defaults: Whole, layers: readonly Input<Whole>[]): Whole {
  const merged = { ...defaults };
  for (const layer of layers) {
    for (const field in defaults) {
      const value = layer[field];
      if (value !== undefined) merged[field] = value;
    }
  }
  return merged;
}

export interface PolicySources {
  /** What came with the operation. */
  readonly input: PolicyInput;
  /** What the cluster has of its own. */
  readonly defaults: PolicyInput;
  /** Whether the cluster has a container manager: without one nothing can be drained. */
  readonly hasManager: boolean;
}

function resolveDrain({ input, defaults, hasManager }: PolicySources): DrainPolicy | null {
  if (!hasManager || (input.drain ?? defaults.drain) === false) return null;
  const layers = [defaults.drain, input.drain].map(drain => (typeof drain === 'object' ? drain : {}));
  return mergeLayers<DrainPolicy>(DRAIN, layers);
}

/** A host cannot stay healthy for longer than it may take to become healthy. */
function validateStability({ minHealthyS, timeouts }: Policy): FieldError[] {
  const message = `must be less than timeouts.ready, which is ${timeouts.readyS} seconds`;
  return minHealthyS < timeouts.readyS ? [] : [{ path: '/policy/min_healthy_s', message }];
}

/** What is wrong with a wish, whatever it is for; `at` is where it stands in what was sent. */
export function validatePolicyInput({ hosts, window }: PolicyInput, at: string): FieldError[] {
  const problem = window ? validateWindow(window) : undefined;
  return [
    ...(hosts?.length === 0
      ? [{ path: `${at}/hosts`, message: 'must name at least one host; use null for all hosts' }]
      : []),
    ...(problem ? [{ path: `${at}/window/zone`, message: problem }] : []),
  ];
}

function validateReboot(kind: OperationKind, { input, defaults }: PolicySources): FieldError[] {
  if (kind === 'upgrade' || (input.reboot ?? defaults.reboot) !== 'never') return [];
  const message = input.reboot
    ? `must not be "never": a ${kind} needs a reboot`
    : `is "never" in the policy of the cluster, but a ${kind} needs a reboot; override it for this operation`;
  return [{ path: '/policy/reboot', message }];
}

/** The policy of an operation, or what is wrong with it, by place in the body of its request. */
export function resolvePolicy(kind: OperationKind, sources: PolicySources): Policy | FieldError[] {
  const layers = [sources.defaults, sources.input];
  const plain = mergeLayers<PlainPolicy>({ ...PLAIN, reboot: REBOOT[kind] }, layers);
  const problems = [...validatePolicyInput(plain, '/policy'), ...validateReboot(kind, sources)];
  const timeouts = mergeLayers<Timeouts>(
    TIMEOUTS,
    layers.map(layer => layer.timeouts ?? {}),
  );
  const policy = { ...plain, drain: resolveDrain(sources), timeouts };
  problems.push(...validateStability(policy));
  return problems.length > 0 ? problems : policy;
}

/** A whole number, or one of 0 to 100 with `%`; `undefined` for anything else. */
export function parseHostAmount(given: number | string): HostAmount | undefined {
  if (typeof given === 'number') return Number.isInteger(given) && given >= 0 ? given : undefined;
  const percent = Number(/^(100|[1-9]?[0-9])%$/.exec(given)?.[1] ?? Number.NaN);
  return Number.isNaN(percent) ? undefined : `${percent}%`;
}

/** How many hosts that is. A part is rounded down; multiplied before it is divided, so that nothing is lost. */
export function resolveHostAmount(
  amount: HostAmount,
  total: number,
  { atLeast }: { readonly atLeast: number },
): number {
  const hosts = typeof amount === 'number' ? amount : Math.floor((total * Number(amount.slice(0, -1))) / 100);
  return Math.max(atLeast, hosts);
}
