import { PolicyInput } from '#contract/policy.ts';
import { parseCommand } from '#sdk/format.ts';
import type { Weekday } from '#vocabulary';
import { DRAIN_TIMEOUT_ACTIONS, ON_FAILURE_ACTIONS, REBOOT_MODES, UNHEALTHY_MODES, WEEKDAYS } from '#vocabulary';
import { capitalize } from '../ui/format/text.ts';
import type { PartialPolicy, PolicyFormErrors, PolicyFormField, PolicyFormValues } from './policy-form-values.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const isJsonSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** Also searches the alternatives of an `anyOf`. */
function findProperty(schema: unknown, field: string): JsonSchema | undefined {
  if (!isJsonSchema(schema)) return undefined;
  const { properties, anyOf } = schema;
  if (isJsonSchema(properties) && isJsonSchema(properties[field])) return properties[field];
  const shapes: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  return shapes.map(shape => findProperty(shape, field)).find(found => found !== undefined);
}

/** Fields that are objects. The form flattens their parts, for example to `drain_timeout_s`. */
const OBJECT_FIELDS = ['drain', 'window', 'timeouts'];

function schemaPath(field: PolicyFormField): readonly string[] {
  const parent = OBJECT_FIELDS.find(name => field.startsWith(`${name}_`));
  const name = field.replace(/_mode$/, '');
  return parent === undefined || name === parent ? [name] : [parent, field.slice(parent.length + 1)];
}

const findSchema = (path: readonly string[]) => path.reduce<JsonSchema | undefined>(findProperty, { ...PolicyInput });

const getText = (schema: JsonSchema | undefined, name: string) => {
  const text = schema?.[name];
  return typeof text === 'string' ? text.replaceAll('`', '') : '';
};

/** Fields that accept a number of hosts or a percentage, with their minimum. */
const AMOUNT_MINIMUMS: Partial<Record<PolicyFormField, number>> = {
  max_unavailable: 1,
  max_excluded: 1,
  max_failures: 0,
};

/**
 * Error message for an invalid value, from the rule in the contract. It starts with a capital letter like a server
 * error in the same place.
 */
function getRule(field: PolicyFormField): string {
  const minimum = AMOUNT_MINIMUMS[field];
  if (minimum !== undefined)
    return `Enter a number from ${minimum} to 1,000,000 or a percentage from ${minimum}% to 100%`;
  return capitalize(getText(findSchema(schemaPath(field)), 'rule') || 'invalid value');
}

export const splitWords = (text: string): string[] => text.split(/[\s,]+/).filter(word => word !== '');

const isWeekday = (word: string): word is Weekday => WEEKDAYS.some(day => day === word);

const toWindow = (values: PolicyFormValues) => ({
  days: splitWords(values.window_days).filter(isWeekday),
  start: values.window_start,
  end: values.window_end,
  zone: values.window_zone.trim(),
});

type WithUndefined<Target> = { readonly [Name in keyof Required<Target>]: Target[Name] | undefined };

function omitUndefined<Target extends object>(values: WithUndefined<Target>): Partial<Target> {
  const result: Partial<Target> = {};
  for (const name in values) if (values[name] !== undefined) result[name] = values[name];
  return result;
}

const isEmpty = (value: object) => Object.keys(value).length === 0;

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Returns the API input and the errors of fields that cannot be parsed. */
export function toPolicyInput(values: PolicyFormValues): {
  readonly input: PartialPolicy;
  readonly errors: PolicyFormErrors;
} {
  const errors: PolicyFormErrors = {};
  const addError = (field: PolicyFormField) => {
    errors[field] = getRule(field);
    return undefined;
  };
  const integer = (field: PolicyFormField) => {
    const text = values[field].trim();
    if (text === '') return undefined;
    return /^\d{1,15}$/.test(text) ? Number(text) : addError(field);
  };
  const amount = (field: PolicyFormField) => {
    const text = values[field].replaceAll(/\s/g, '');
    return /^\d+%$/.test(text) ? text : integer(field);
  };
  const option = <Value extends string>(field: PolicyFormField, options: readonly Value[]) =>
    options.find(candidate => candidate === values[field]);
  /** Reads a `_mode` field: `none`, the parsed value, or undefined if it is omitted. */
  const optional = <None, Custom>(modeField: PolicyFormField, none: None, parse: () => Custom) => {
    if (values[modeField] === 'none') return none;
    return values[modeField] === 'custom' ? parse() : undefined;
  };
  const toDrain = () => {
    const drain = omitUndefined<Extract<PartialPolicy['drain'], object>>({
      timeout_s: integer('drain_timeout_s'),
      on_timeout: option('drain_on_timeout', DRAIN_TIMEOUT_ACTIONS),
    });
    return isEmpty(drain) ? true : drain;
  };
  const timeouts = omitUndefined<NonNullable<PartialPolicy['timeouts']>>({
    stage: integer('timeouts_stage'),
    apply: integer('timeouts_apply'),
    reboot: integer('timeouts_reboot'),
    ready: integer('timeouts_ready'),
  });
  const input = omitUndefined<Omit<PartialPolicy, 'dry_run'>>({
    max_unavailable: amount('max_unavailable'),
    canary: integer('canary'),
    ramp: FLAGS[values.ramp],
    stage_parallel: integer('stage_parallel'),
    unhealthy: option('unhealthy', UNHEALTHY_MODES),
    max_excluded: amount('max_excluded'),
    wait: FLAGS[values.wait],
    max_failures: amount('max_failures'),
    on_failure: option('on_failure', ON_FAILURE_ACTIONS),
    hosts: optional('hosts_mode', null, () => splitWords(values.hosts)),
    labels: optional('labels_mode', [], () => splitWords(values.labels)),
    order: optional('order_mode', 'address', () => splitWords(values.order)),
    reboot: option('reboot', REBOOT_MODES),
    check: optional('check_mode', null, () => parseCommand(values.check) ?? addError('check')),
    min_healthy_s: integer('min_healthy_s'),
    drain: optional('drain_mode', false, toDrain),
    window: optional('window_mode', null, () => toWindow(values)),
    timeouts: isEmpty(timeouts) ? undefined : timeouts,
  });
  return { input, errors };
}
