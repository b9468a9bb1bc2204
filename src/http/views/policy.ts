import type { Static } from 'typebox';
import type { Policy, PolicyInput } from '../../contract/policy.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress, sortAddresses } from '../../domain/addresses/address.ts';
import type { Argv } from '../../domain/command.ts';
import type { AppError, FieldError } from '../../domain/errors.ts';
import { invalidBody } from '../../domain/errors.ts';
import type { PolicyInput as PolicyInputRecord, Policy as ResolvedPolicy } from '../../domain/rollout/policy.ts';
import { parseHostAmount, validatePolicyInput } from '../../domain/rollout/policy.ts';
import { WEEKDAYS } from '../../domain/vocabulary.ts';
import type { View } from '../request-context.ts';

type PolicyBody = Static<typeof PolicyInput>;

class PolicyInputParser {
  readonly errors: FieldError[] = [];
  readonly basePath: string;

  constructor(basePath: string) {
    this.basePath = basePath;
  }

  private require<Value>(value: Value | undefined, field: string, message: string): Value | undefined {
    if (value === undefined) this.errors.push({ path: `${this.basePath}/${field}`, message });
    return value;
  }

  countOrPercent(value: number | string | undefined, field: string) {
    if (value === undefined) return undefined;
    return this.require(parseHostAmount(value), field, 'must be a whole number or a percentage');
  }

  /** Removes duplicates and keeps the order. */
  addresses(texts: readonly string[], field: string): readonly Address[] {
    const addresses = texts.map((text, index) =>
      this.require(parseAddress(text), `${field}/${index}`, ADDRESS_MESSAGE),
    );
    return [...new Set(addresses.filter(address => address !== undefined))];
  }

  command([program, ...args]: readonly string[], field: string): Argv | undefined {
    return this.require(program ? [program, ...args] : undefined, `${field}/0`, 'must be the name of a program');
  }
}

/** Sorts hosts and labels, because their order has no meaning and equal policies must compare equal. */
function parseTargets(parser: PolicyInputParser, { hosts, labels, order }: PolicyBody) {
  return {
    hosts: hosts && sortAddresses(parser.addresses(hosts, 'hosts')),
    labels: labels && [...new Set(labels)].sort(),
    order: order === undefined || order === 'address' ? order : parser.addresses(order, 'order'),
  };
}

const parseWindow = (window: PolicyBody['window']) =>
  window && { ...window, days: WEEKDAYS.filter(day => window.days.includes(day)) };

const parseDrain = (drain: PolicyBody['drain']) =>
  typeof drain === 'object' ? { timeoutS: drain.timeout_s, onTimeout: drain.on_timeout } : drain;

const parseTimeouts = (timeouts: PolicyBody['timeouts']) =>
  timeouts && { stageS: timeouts.stage, applyS: timeouts.apply, rebootS: timeouts.reboot, readyS: timeouts.ready };

/** `basePath`: the JSON pointer of the policy in the request body; empty if the policy is the body. */
export function parsePolicyInput(body: PolicyBody, basePath = '/policy'): PolicyInputRecord | AppError {
  const parser = new PolicyInputParser(basePath);
  const input: PolicyInputRecord = {
    maxUnavailable: parser.countOrPercent(body.max_unavailable, 'max_unavailable'),
    canary: body.canary,
    ramp: body.ramp,
    unhealthy: body.unhealthy,
    maxExcluded: parser.countOrPercent(body.max_excluded, 'max_excluded'),
    wait: body.wait,
    maxFailures: parser.countOrPercent(body.max_failures, 'max_failures'),
    onFailure: body.on_failure,
    ...parseTargets(parser, body),
    stageParallel: body.stage_parallel,
    drain: parseDrain(body.drain),
    reboot: body.reboot,
    check: body.check && parser.command(body.check, 'check'),
    timeouts: parseTimeouts(body.timeouts),
    minHealthyS: body.min_healthy_s,
    window: parseWindow(body.window),
    isDryRun: body.dry_run,
  };
  const errors = parser.errors.length > 0 ? parser.errors : validatePolicyInput(input, basePath);
  return errors.length > 0 ? invalidBody(...errors) : input;
}

const viewDrain = (drain: ResolvedPolicy['drain']) =>
  drain ? { timeout_s: drain.timeoutS, on_timeout: drain.onTimeout } : false;

/** Stored policies never have `dry_run`. Only the response of a dry run sets it. */
export const viewPolicy = (policy: ResolvedPolicy, { isDryRun = false } = {}): View<typeof Policy> => ({
  max_unavailable: policy.maxUnavailable,
  canary: policy.canary,
  ramp: policy.ramp,
  unhealthy: policy.unhealthy,
  max_excluded: policy.maxExcluded,
  wait: policy.wait,
  max_failures: policy.maxFailures,
  on_failure: policy.onFailure,
  hosts: policy.hosts,
  labels: policy.labels,
  order: policy.order,
  stage_parallel: policy.stageParallel,
  drain: viewDrain(policy.drain),
  reboot: policy.reboot,
  check: policy.check,
  timeouts: {
    stage: policy.timeouts.stageS,
    apply: policy.timeouts.applyS,
    reboot: policy.timeouts.rebootS,
    ready: policy.timeouts.readyS,
  },
  min_healthy_s: policy.minHealthyS,
  window: policy.window,
  dry_run: isDryRun,
});

const viewDrainInput = (drain: PolicyInputRecord['drain']) =>
  typeof drain === 'object' ? { timeout_s: drain.timeoutS, on_timeout: drain.onTimeout } : drain;

const viewTimeouts = (timeouts: NonNullable<PolicyInputRecord['timeouts']>) => ({
  stage: timeouts.stageS,
  apply: timeouts.applyS,
  reboot: timeouts.rebootS,
  ready: timeouts.readyS,
});

/** Fields that the client has not set are undefined. */
export const viewPolicyInput = (input: PolicyInputRecord): View<typeof PolicyInput> => ({
  max_unavailable: input.maxUnavailable,
  canary: input.canary,
  ramp: input.ramp,
  unhealthy: input.unhealthy,
  max_excluded: input.maxExcluded,
  wait: input.wait,
  max_failures: input.maxFailures,
  on_failure: input.onFailure,
  hosts: input.hosts,
  labels: input.labels,
  order: input.order,
  stage_parallel: input.stageParallel,
  drain: viewDrainInput(input.drain),
  reboot: input.reboot,
  check: input.check,
  timeouts: input.timeouts && viewTimeouts(input.timeouts),
  min_healthy_s: input.minHealthyS,
  window: input.window,
  dry_run: input.isDryRun,
});
