import type { Weekday } from '#vocabulary';
import { DRAIN_TIMEOUT_RULES, FAILURE_RULES, REBOOT_RULES, WEEKDAYS } from '#vocabulary';
import type { DraftErrors, DraftField, PolicyDraft, Wish } from './policy-draft.ts';
import { ruleOf } from './policy-schema.ts';

const wordsIn = (text: string): string[] => text.split(/[\s,]+/).filter(word => word !== '');

/** A program and its arguments: words, or a JSON list where spaces are inside of them. */
function readCommand(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return text.split(/\s+/).filter(word => word !== '');
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every(word => typeof word === 'string') ? words : undefined;
  } catch {
    return undefined;
  }
}

const isWeekday = (word: string): word is Weekday => WEEKDAYS.some(day => day === word);

const windowOf = (draft: PolicyDraft) => ({
  days: wordsIn(draft.window_days).filter(isWeekday),
  start: draft.window_start,
  end: draft.window_end,
  zone: draft.window_zone.trim(),
});

/** Without what was left out; `undefined` where nothing is left. */
function some(fields: object): object | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** What somebody has typed, as a wish, and what in it cannot be one. */
export function wishOf(draft: PolicyDraft): { readonly wish: Wish; readonly errors: DraftErrors } {
  const errors: DraftErrors = {};
  const wrong = (field: DraftField) => {
    errors[field] = ruleOf(field);
    return undefined;
  };
  const whole = (field: DraftField) => {
    const text = draft[field].trim();
    if (text === '') return undefined;
    return /^\d{1,15}$/.test(text) ? Number(text) : wrong(field);
  };
  const amount = (field: DraftField) => {
    const text = draft[field].replaceAll(/\s/g, '');
    return /^\d+%$/.test(text) ? text : whole(field);
  };
  const word = <Word extends string>(field: DraftField, words: readonly Word[]) =>
    words.find(each => each === draft[field]);
  /** By the rule of a field: what stands for none, or what is given; `undefined`: left out. */
  const ruled = <None, Given>(rule: DraftField, none: None, read: () => Given) => {
    if (draft[rule] === 'none') return none;
    return draft[rule] === 'given' ? read() : undefined;
  };
  const fields = {
    max_unavailable: amount('max_unavailable'),
    canary: whole('canary'),
    ramp: FLAGS[draft.ramp],
    stage_parallel: whole('stage_parallel'),
    max_failures: amount('max_failures'),
    on_failure: word('on_failure', FAILURE_RULES),
    hosts: ruled('hosts_rule', null, () => wordsIn(draft.hosts)),
    labels: ruled('labels_rule', [], () => wordsIn(draft.labels)),
    order: ruled('order_rule', 'address' as const, () => wordsIn(draft.order)),
    reboot: word('reboot', REBOOT_RULES),
    check: ruled('check_rule', null, () => readCommand(draft.check) ?? wrong('check')),
    min_healthy_s: whole('min_healthy_s'),
    drain: ruled('drain_rule', false, () => {
      const timeoutS = whole('drain_timeout_s');
      return some({ timeout_s: timeoutS, on_timeout: word('drain_on_timeout', DRAIN_TIMEOUT_RULES) }) ?? true;
    }),
    window: ruled('window_rule', null, () => windowOf(draft)),
    timeouts: some({
      stage: whole('timeouts_stage'),
      apply: whole('timeouts_apply'),
      reboot: whole('timeouts_reboot'),
      ready: whole('timeouts_ready'),
    }),
  };
  const wish: Wish = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { wish, errors };
}
