// Each field comes from the operation, else from the cluster, else from the defaults.

import type { Address } from '../addresses/address.ts';
import type { Argv } from '../command.ts';
import { POLICY_DEFAULTS } from '../defaults.ts';
import type { AppError, FieldError } from '../errors.ts';
import { invalidBody } from '../errors.ts';
import type { DrainTimeoutAction, OnFailureAction, OperationKind, RebootMode, UnhealthyMode } from '../vocabulary.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import { validateWindow } from './maintenance-window.ts';

/** Hosts, or a percentage such as `25%`. */
export type HostAmount = number | `${number}%`;

interface DrainPolicy {
  readonly timeoutS: number;
  readonly onTimeout: DrainTimeoutAction;
}

interface Timeouts {
  readonly stageS: number;
  readonly applyS: number;
  readonly rebootS: number;
  readonly readyS: number;
}

export type HostPolicy = Pick<Policy, 'drain' | 'reboot' | 'check' | 'timeouts' | 'minHealthyS'>;

export interface Policy {
  readonly maxUnavailable: HostAmount;
  readonly canary: number;
  readonly ramp: boolean;
  /** Members that are out of service use the budget (`count`), or the operation ignores them (`exclude`). */
  readonly unhealthy: UnhealthyMode;
  /** With more unhealthy members, an operation that excludes them fails. */
  readonly maxExcluded: HostAmount;
  /** Wait up to `timeouts.readyS` for members that use all slots, instead of failing. */
  readonly wait: boolean;
  readonly maxFailures: HostAmount;
  readonly onFailure: OnFailureAction;
  readonly hosts: readonly Address[] | null;
  /** Members need all of them: `key=value` or `key`. */
  readonly labels: readonly string[];
  /** Hosts outside the list follow it, by address. */
  readonly order: 'address' | readonly Address[];
  readonly stageParallel: number;
  /** null: nodes are neither cordoned nor drained. */
  readonly drain: DrainPolicy | null;
  readonly reboot: RebootMode;
  /** Must exit with 0 on a host before the host counts as healthy. */
  readonly check: Argv | null;
  readonly timeouts: Timeouts;
  readonly minHealthyS: number;
  readonly window: MaintenanceWindow | null;
}

/** `undefined`: not set. null is a value and means none. */
type Input<Whole> = { readonly [Field in keyof Whole]?: Whole[Field] | undefined };

type PlainPolicy = Omit<Policy, 'drain' | 'timeouts'>;

export interface PolicyInput extends Input<PlainPolicy> {
  /** `true`: the settings come from the other layers. */
  readonly drain?: boolean | Input<DrainPolicy> | undefined;
  readonly timeouts?: Input<Timeouts> | undefined;
  readonly isDryRun?: boolean | undefined;
}

const { drain: DRAIN, timeouts: TIMEOUTS, reboot: REBOOT, ...PLAIN } = POLICY_DEFAULTS;

/** Later layers override earlier ones. */
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
  /** From the operation request. */
  readonly input: PolicyInput;
  /** From the cluster. */
  readonly defaults: PolicyInput;
  /** Without a container manager, nothing can be drained. */
  readonly hasManager: boolean;
}

function resolveDrain({ input, defaults, hasManager }: PolicySources): DrainPolicy | null {
  if (!hasManager || (input.drain ?? defaults.drain) === false) return null;
  const layers = [defaults.drain, input.drain].map(drain => (typeof drain === 'object' ? drain : {}));
  return mergeLayers<DrainPolicy>(DRAIN, layers);
}

/** A host must become stable within `timeouts.ready`. */
function validateStability({ minHealthyS, timeouts }: Policy): FieldError[] {
  const message = `must be less than timeouts.ready, which is ${timeouts.readyS} seconds`;
  return minHealthyS < timeouts.readyS ? [] : [{ path: '/policy/min_healthy_s', message }];
}

/** `at`: the JSON Pointer of the policy in the request body. */
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

export function resolvePolicy(kind: OperationKind, sources: PolicySources): Policy | AppError {
  const layers = [sources.defaults, sources.input];
  const plain = mergeLayers<PlainPolicy>({ ...PLAIN, reboot: REBOOT[kind] }, layers);
  const errors = [...validatePolicyInput(plain, '/policy'), ...validateReboot(kind, sources)];
  const timeouts = mergeLayers<Timeouts>(
    TIMEOUTS,
    layers.map(layer => layer.timeouts ?? {}),
  );
  const policy = { ...plain, drain: resolveDrain(sources), timeouts };
  errors.push(...validateStability(policy));
  return errors.length > 0 ? invalidBody(...errors) : policy;
}

export function parseHostAmount(value: number | string): HostAmount | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  const percent = Number(/^(100|[1-9]?[0-9])%$/.exec(value)?.[1] ?? Number.NaN);
  return Number.isNaN(percent) ? undefined : `${percent}%`;
}

/** Rounds down; multiplying before dividing avoids rounding errors. */
export function resolveHostAmount(
  amount: HostAmount,
  total: number,
  { atLeast }: { readonly atLeast: number },
): number {
  const hosts = typeof amount === 'number' ? amount : Math.floor((total * Number(amount.slice(0, -1))) / 100);
  return Math.max(atLeast, hosts);
}
