import { commandText } from '#client/command-words.ts';
import type { PolicyDraft, Wish } from './policy-draft.ts';
import { EMPTY_DRAFT } from './policy-draft.ts';

const text = (value: string | number | boolean | undefined) => (value === undefined ? '' : String(value));

/** Whether a field is left out, stands for none, or is given. */
const ruleFor = <Value>(value: Value | undefined, isNone: (value: Value) => boolean) => {
  if (value === undefined) return '';
  return isNone(value) ? 'none' : 'given';
};

/** A wish as the form shows it; `wishOf` of it is the same wish. */
export function draftOf(wish: Wish): PolicyDraft {
  const { hosts, labels, order, check, drain, window, timeouts } = wish;
  const drained = typeof drain === 'object' ? drain : undefined;
  return {
    ...EMPTY_DRAFT,
    max_unavailable: text(wish.max_unavailable),
    canary: text(wish.canary),
    ramp: text(wish.ramp),
    stage_parallel: text(wish.stage_parallel),
    unhealthy: text(wish.unhealthy),
    max_excluded: text(wish.max_excluded),
    wait: text(wish.wait),
    max_failures: text(wish.max_failures),
    on_failure: text(wish.on_failure),
    hosts_rule: ruleFor(hosts, value => value === null),
    hosts: hosts?.join('\n') ?? '',
    labels_rule: ruleFor(labels, value => value.length === 0),
    labels: labels?.join('\n') ?? '',
    order_rule: ruleFor(order, value => value === 'address'),
    order: Array.isArray(order) ? order.join('\n') : '',
    reboot: text(wish.reboot),
    check_rule: ruleFor(check, value => value === null),
    check: check ? commandText(check) : '',
    min_healthy_s: text(wish.min_healthy_s),
    drain_rule: ruleFor(drain, value => value === false),
    drain_timeout_s: text(drained?.timeout_s),
    drain_on_timeout: text(drained?.on_timeout),
    window_rule: ruleFor(window, value => value === null),
    window_days: window?.days.join(' ') ?? '',
    window_start: text(window?.start),
    window_end: text(window?.end),
    window_zone: text(window?.zone),
    timeouts_stage: text(timeouts?.stage),
    timeouts_apply: text(timeouts?.apply),
    timeouts_reboot: text(timeouts?.reboot),
    timeouts_ready: text(timeouts?.ready),
  };
}

/** A form in which the fields that a policy sets are replaced; all others keep what was typed. */
export function draftWith(draft: PolicyDraft, fields: Wish): PolicyDraft {
  const set = Object.entries(draftOf(fields)).filter(([, value]) => value !== '');
  return { ...draft, ...Object.fromEntries(set) };
}
