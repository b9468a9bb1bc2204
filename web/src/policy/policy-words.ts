import { shownCommand } from '#client/command-words.ts';
import { duration } from '#client/times.ts';
import { counted } from '../ui/words/counted.ts';
import { someOf } from '../ui/words/some-of.ts';
import { labelOf } from '../ui/words/status-words.ts';
import type { Wish } from './policy-draft.ts';
import { DEFAULT_POLICY } from './policy-hints.ts';

const hosts = (count: number) => counted(count, 'host');
const seconds = (s: number) => duration(s * 1000);
const MOST_NAMED = 3;

const few = (texts: readonly string[]) => someOf(texts, MOST_NAMED);

const amount = (value: number | string, of: string) =>
  typeof value === 'number' ? hosts(value) : `${value} of the ${of}`;

function drainText(drain: NonNullable<Wish['drain']>): string {
  if (typeof drain === 'boolean') return drain ? 'Yes' : 'No';
  const within = drain.timeout_s === undefined ? '' : `, within ${seconds(drain.timeout_s)}`;
  const then = { force: ', then force', fail: ', then fail the host' };
  return `Yes${within}${drain.on_timeout === undefined ? '' : then[drain.on_timeout]}`;
}

/** What a value is called, if there is one. */
const given = <Value>(value: Value | undefined | null, text: (value: Value) => string): string =>
  value === undefined || value === null ? '' : text(value);

type Field = Exclude<keyof Wish, 'dry_run'>;
type FieldText = (wish: Wish) => string;

/** The value of each field as a text. */
const TEXTS: Readonly<Record<string, FieldText>> = {
  max_unavailable: wish => given(wish.max_unavailable, value => amount(value, 'members')),
  canary: wish => given(wish.canary, value => (value === 0 ? 'None' : hosts(value))),
  ramp: wish => given(wish.ramp, value => (value ? '1, 2, 4, … hosts at a time' : 'No')),
  stage_parallel: wish => given(wish.stage_parallel, hosts),
  unhealthy: wish => given(wish.unhealthy, value => (value === 'exclude' ? 'Exclude' : 'Count')),
  max_excluded: wish => given(wish.max_excluded, value => amount(value, 'members')),
  wait: wish => given(wish.wait, value => (value ? 'Yes' : 'No')),
  max_failures: wish => given(wish.max_failures, value => (value === 0 ? 'None' : amount(value, 'hosts'))),
  on_failure: wish =>
    given(wish.on_failure, value => (value === 'pause' ? 'Pause the operation' : 'Fail the operation')),
  hosts: wish => given(wish.hosts, few),
  labels: wish => given(wish.labels, value => (value.length === 0 ? 'Any' : value.join(', '))),
  order: wish =>
    given(wish.order, value =>
      value === 'address' ? 'By address' : `${few([value].flat())}, then the others by address`,
    ),
  reboot: wish => given(wish.reboot, value => labelOf(value)),
  check: wish => given(wish.check, shownCommand),
  min_healthy_s: wish => given(wish.min_healthy_s, seconds),
  drain: wish => given(wish.drain, drainText),
  window: wish =>
    given(wish.window, ({ days, start, end, zone }) => `${days.join(', ')} ${start}–${end}, ${zone}`),
  timeouts: wish =>
    given(wish.timeouts, value =>
      Object.entries(value)
        .map(([part, s]) => `${part} ${seconds(s)}`)
        .join(', '),
    ),
} satisfies Record<Field, FieldText>;

const NONE: Readonly<Record<string, string>> = {
  hosts: 'All members',
  check: 'None',
  window: 'Always open',
} satisfies Partial<Record<Field, string>>;

const DEPENDING: Readonly<Record<string, string>> = {
  reboot: 'Always for restart and deploy, if needed for upgrade',
  drain: 'Yes if the cluster has a container manager',
} satisfies Partial<Record<Field, string>>;

/** What holds where a policy says nothing. */
export const defaultWords = (name: string): string =>
  `${DEPENDING[name] ?? policyText(name, DEFAULT_POLICY)} (default)`;

/** What a policy says in a field; empty where it says nothing. */
export function policyText(name: string, wish: Wish): string {
  if (Object.entries(wish).some(([field, value]) => field === name && value === null))
    return NONE[name] ?? 'None';
  return TEXTS[name]?.(wish) ?? '';
}
