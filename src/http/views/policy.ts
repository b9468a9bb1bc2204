import type { Static } from 'typebox';
import type { Policy, PolicyWish } from '../../contract/policy.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress, sortAddresses } from '../../domain/addresses/address.ts';
import type { Argv } from '../../domain/command.ts';
import type { FieldError } from '../../domain/errors.ts';
import type { PolicyInput as PolicyWishRecord, Policy as WholePolicy } from '../../domain/rollout/policy.ts';
import { parseHostAmount, validatePolicyInput } from '../../domain/rollout/policy.ts';
import { WEEKDAYS } from '../../domain/vocabulary.ts';

type Wire = Static<typeof PolicyWish>;

/** Reads fields one by one; what is wrong with them is gathered in `errors`. */
class WishReader {
  readonly errors: FieldError[] = [];
  readonly at: string;

  constructor(at: string) {
    this.at = at;
  }

  private parsed<Value>(value: Value | undefined, field: string, message: string): Value | undefined {
    if (value === undefined) this.errors.push({ path: `${this.at}/${field}`, message });
    return value;
  }

  amount(given: number | string | undefined, field: string) {
    if (given === undefined) return undefined;
    return this.parsed(parseHostAmount(given), field, 'must be a whole number or a percentage');
  }

  /** Each once, in the order given. */
  addresses(texts: readonly string[], field: string): readonly Address[] {
    const addresses = texts.map((text, index) =>
      this.parsed(parseAddress(text), `${field}/${index}`, ADDRESS_MESSAGE),
    );
    return [...new Set(addresses.filter(address => address !== undefined))];
  }

  command([program, ...args]: readonly string[], field: string): Argv | undefined {
    return this.parsed(
      program ? [program, ...args] : undefined,
      `${field}/0`,
      'must be the name of a program',
    );
  }
}

/** Whatever has no order gets one, so that equal wishes look equal. */
function readWho(reader: WishReader, { hosts, labels, order }: Wire) {
  return {
    hosts: hosts && sortAddresses(reader.addresses(hosts, 'hosts')),
    labels: labels && [...new Set(labels)].sort(),
    order: order === undefined || order === 'address' ? order : reader.addresses(order, 'order'),
  };
}

const readWindow = (window: Wire['window']) =>
  window && { ...window, days: WEEKDAYS.filter(day => window.days.includes(day)) };

const readDrain = (drain: Wire['drain']) =>
  typeof drain === 'object' ? { timeoutS: drain.timeout_s, onTimeout: drain.on_timeout } : drain;

const readTimeouts = (timeouts: Wire['timeouts']) =>
  timeouts && {
    stageS: timeouts.stage,
    applyS: timeouts.apply,
    rebootS: timeouts.reboot,
    readyS: timeouts.ready,
  };

/** A wish as sent, or what is wrong with it; `at` is its place in the body, empty when it is the body. */
export function toPolicyWish(body: Wire, at = '/policy'): PolicyWishRecord | FieldError[] {
  const reader = new WishReader(at);
  const wish: PolicyWishRecord = {
    maxUnavailable: reader.amount(body.max_unavailable, 'max_unavailable'),
    canary: body.canary,
    ramp: body.ramp,
    unhealthy: body.unhealthy,
    maxExcluded: reader.amount(body.max_excluded, 'max_excluded'),
    wait: body.wait,
    maxFailures: reader.amount(body.max_failures, 'max_failures'),
    onFailure: body.on_failure,
    ...readWho(reader, body),
    stageParallel: body.stage_parallel,
    drain: readDrain(body.drain),
    reboot: body.reboot,
    check: body.check && reader.command(body.check, 'check'),
    timeouts: readTimeouts(body.timeouts),
    minHealthyS: body.min_healthy_s,
    window: readWindow(body.window),
    isDryRun: body.dry_run,
  };
  const errors = reader.errors.length > 0 ? reader.errors : validatePolicyInput(wish, at);
  return errors.length > 0 ? errors : wish;
}

const viewDrain = (drain: WholePolicy['drain']) =>
  drain ? { timeout_s: drain.timeoutS, on_timeout: drain.onTimeout } : false;

/** An operation on record is no dry run; the answer to one says that it is. */
export const viewPolicy = (policy: WholePolicy, { isDryRun = false } = {}): Static<typeof Policy> => ({
  max_unavailable: policy.maxUnavailable,
  canary: policy.canary,
  ramp: policy.ramp,
  unhealthy: policy.unhealthy,
  max_excluded: policy.maxExcluded,
  wait: policy.wait,
  max_failures: policy.maxFailures,
  on_failure: policy.onFailure,
  hosts: policy.hosts && [...policy.hosts],
  labels: [...policy.labels],
  order: policy.order === 'address' ? policy.order : [...policy.order],
  stage_parallel: policy.stageParallel,
  drain: viewDrain(policy.drain),
  reboot: policy.reboot,
  check: policy.check && [...policy.check],
  timeouts: {
    stage: policy.timeouts.stageS,
    apply: policy.timeouts.applyS,
    reboot: policy.timeouts.rebootS,
    ready: policy.timeouts.readyS,
  },
  min_healthy_s: policy.minHealthyS,
  window: policy.window && { ...policy.window, days: [...policy.window.days] },
  dry_run: isDryRun,
});
