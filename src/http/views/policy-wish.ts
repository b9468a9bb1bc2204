import type { Static } from 'typebox';
import type { PolicyWish } from '../../contract/policy.ts';
import type { PolicyInput as PolicyWishRecord } from '../../domain/rollout/policy.ts';

type Said<Fields> = { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };

/** Only the fields that say something. */
const said = <Fields extends object>(fields: Fields): Said<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Said<Fields>;

const viewDrain = (drain: PolicyWishRecord['drain']) =>
  typeof drain === 'object' ? said({ timeout_s: drain.timeoutS, on_timeout: drain.onTimeout }) : drain;

const viewTimeouts = (timeouts: PolicyWishRecord['timeouts']) =>
  timeouts &&
  said({
    stage: timeouts.stageS,
    apply: timeouts.applyS,
    reboot: timeouts.rebootS,
    ready: timeouts.readyS,
  });

const viewOrder = (order: PolicyWishRecord['order']) =>
  order === undefined || order === 'address' ? order : [...order];

/** What was asked for, and nothing else. */
export const viewPolicyWish = (wish: PolicyWishRecord): Static<typeof PolicyWish> =>
  said({
    max_unavailable: wish.maxUnavailable,
    canary: wish.canary,
    ramp: wish.ramp,
    unhealthy: wish.unhealthy,
    max_excluded: wish.maxExcluded,
    wait: wish.wait,
    max_failures: wish.maxFailures,
    on_failure: wish.onFailure,
    hosts: wish.hosts && [...wish.hosts],
    labels: wish.labels && [...wish.labels],
    order: viewOrder(wish.order),
    stage_parallel: wish.stageParallel,
    drain: viewDrain(wish.drain),
    reboot: wish.reboot,
    check: wish.check && [...wish.check],
    timeouts: viewTimeouts(wish.timeouts),
    min_healthy_s: wish.minHealthyS,
    window: wish.window && { ...wish.window, days: [...wish.window.days] },
    dry_run: wish.isDryRun,
  });
