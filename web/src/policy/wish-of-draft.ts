import { readCommand } from '#client/command-words.ts';
import type { Weekday } from '#vocabulary';
import {
  DRAIN_TIMEOUT_ACTIONS,
  ON_FAILURE_ACTIONS,
  REBOOT_MODES,
  UNHEALTHY_MODES,
  WEEKDAYS,
} from '#vocabulary';
import type { DraftErrors, DraftField, PolicyDraft, Wish } from './policy-draft.ts';
import { ruleOf } from './policy-schema.ts';

const wordsIn = (text: string): string[] => text.split(/[\s,]+/).filter(word => word !== '');

const isWeekday = (word: string): word is Weekday => WEEKDAYS.some(day => day === word);

const windowOf = (draft: PolicyDraft) => ({
  days: wordsIn(draft.window_days).filter(isWeekday),
  start: draft.window_start,
  end: draft.window_end,
  zone: draft.window_zone.trim(),
});

/** Writes what was given into a field; what is left out is not written, not even as `undefined`. */
const writerOf =
  <Target extends object>(target: Target) =>
  <Name extends keyof Target>(name: Name, value: Target[Name] | undefined): void => {
    if (value !== undefined) target[name] = value;
  };

type Drain = Extract<Wish['drain'], object>;
type Timeouts = NonNullable<Wish['timeouts']>;

const isEmpty = (value: object) => Object.keys(value).length === 0;

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
  const drainOf = () => {
    const drain: Drain = {};
    const write = writerOf(drain);
    write('timeout_s', whole('drain_timeout_s'));
    write('on_timeout', word('drain_on_timeout', DRAIN_TIMEOUT_ACTIONS));
    return isEmpty(drain) ? true : drain;
  };
  const timeoutsOf = () => {
    const timeouts: Timeouts = {};
    const write = writerOf(timeouts);
    write('stage', whole('timeouts_stage'));
    write('apply', whole('timeouts_apply'));
    write('reboot', whole('timeouts_reboot'));
    write('ready', whole('timeouts_ready'));
    return isEmpty(timeouts) ? undefined : timeouts;
  };
  const wish: Wish = {};
  const write = writerOf(wish);
  write('max_unavailable', amount('max_unavailable'));
  write('canary', whole('canary'));
  write('ramp', FLAGS[draft.ramp]);
  write('stage_parallel', whole('stage_parallel'));
  write('unhealthy', word('unhealthy', UNHEALTHY_MODES));
  write('max_excluded', amount('max_excluded'));
  write('wait', FLAGS[draft.wait]);
  write('max_failures', amount('max_failures'));
  write('on_failure', word('on_failure', ON_FAILURE_ACTIONS));
  write(
    'hosts',
    ruled('hosts_rule', null, () => wordsIn(draft.hosts)),
  );
  write(
    'labels',
    ruled('labels_rule', [], () => wordsIn(draft.labels)),
  );
  write(
    'order',
    ruled('order_rule', 'address', () => wordsIn(draft.order)),
  );
  write('reboot', word('reboot', REBOOT_MODES));
  write(
    'check',
    ruled('check_rule', null, () => readCommand(draft.check) ?? wrong('check')),
  );
  write('min_healthy_s', whole('min_healthy_s'));
  write('drain', ruled('drain_rule', false, drainOf));
  write(
    'window',
    ruled('window_rule', null, () => windowOf(draft)),
  );
  write('timeouts', timeoutsOf());
  return { wish, errors };
}
