import type { ReactNode } from 'react';
import { useEffect, useId, useState } from 'react';
import { DRAIN_TIMEOUT_ACTIONS, ON_FAILURE_ACTIONS, REBOOT_MODES, UNHEALTHY_MODES, WEEKDAYS } from '#vocabulary';
import { useHostnames } from '../hosts/use-hostnames.ts';
import { toLabel } from '../ui/format/text.ts';
import { FieldGroup, FieldHelp, SelectField, TextArea, TextField, useFieldErrors } from '../ui/forms/field.tsx';
import { hostsHint } from './hosts-hint.ts';
import { inheritedValue } from './inherited-value.ts';
import { POLICY_HINTS, POLICY_LABELS } from './policy-fields.ts';
import styles from './policy-form.module.css';
import type { PartialPolicy, PolicyFormField, PolicyFormValues } from './policy-form-values.ts';
import { isFormField } from './policy-form-values.ts';

interface WeekdayPickerProps {
  /** Separated by spaces. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function WeekdayPicker({ value, onChange }: WeekdayPickerProps) {
  const id = useId();
  const { window_days: error } = useFieldErrors();
  const selected = new Set(value.split(' '));
  const toggle = (day: string) =>
    onChange(WEEKDAYS.filter(weekday => selected.has(weekday) !== (weekday === day)).join(' '));
  return (
    <fieldset className={styles.days} aria-describedby={id}>
      <legend>Days</legend>
      {WEEKDAYS.map(day => (
        <label key={day}>
          <input type="checkbox" checked={selected.has(day)} onChange={() => toggle(day)} /> {day}
        </label>
      ))}
      <FieldHelp id={id} hint={POLICY_HINTS.window_days} error={error} />
    </fieldset>
  );
}

type SelectOptions = readonly (readonly [value: string, label: string])[];

const YES_NO: SelectOptions = [
  ['true', 'Yes'],
  ['false', 'No'],
];

const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const toSelectOptions = (options: readonly string[]): SelectOptions => options.map(option => [option, toLabel(option)]);

/** Most users need only these. The others are under Advanced. */
const BASIC_FIELDS: ReadonlySet<string> = new Set<PolicyFormField>([
  'hosts_mode',
  'hosts',
  'labels_mode',
  'labels',
  'max_unavailable',
  'canary',
]);

const hasAdvancedValue = (values: PolicyFormValues): boolean =>
  Object.entries(values).some(([field, value]) => value !== '' && !BASIC_FIELDS.has(field));

interface PolicyFormProps {
  readonly values: PolicyFormValues;
  readonly onChange: (values: PolicyFormValues) => void;
  /** Applies to empty fields, before the defaults. */
  readonly clusterPolicy: PartialPolicy;
}

export function PolicyForm({ values, onChange, clusterPolicy }: PolicyFormProps) {
  const fieldErrors = useFieldErrors();
  const hostnames = useHostnames();
  const [isOpen, setOpen] = useState(() => hasAdvancedValue(values));
  const hasAdvancedError = Object.keys(fieldErrors).some(field => isFormField(field) && !BASIC_FIELDS.has(field));
  // Stays open after the user has fixed the error.
  useEffect(() => {
    if (hasAdvancedError) setOpen(true);
  }, [hasAdvancedError]);
  const set = (field: PolicyFormField, value: string) => {
    const zone = field === 'window_mode' && values.window_zone === '' ? { window_zone: browserTimeZone() } : {};
    onChange({ ...values, ...zone, [field]: value });
  };
  const bindField = (field: PolicyFormField, label: string) => ({
    label,
    name: field,
    hint: POLICY_HINTS[field],
    value: values[field],
    onChange: (event: { readonly target: { readonly value: string } }) => set(field, event.target.value),
  });
  const textField = (field: PolicyFormField, label: string) => (
    <TextField key={field} {...bindField(field, label)} placeholder={inheritedValue(field, clusterPolicy)} />
  );
  const selectField = (field: PolicyFormField, label: string, options: SelectOptions) => (
    <SelectField key={field} {...bindField(field, label)}>
      <option value="">{inheritedValue(field, clusterPolicy)}</option>
      {options.map(([value, optionLabel]) => (
        <option key={value} value={value}>
          {optionLabel}
        </option>
      ))}
    </SelectField>
  );
  const optionalField = (
    field: PolicyFormField,
    label: string,
    options: readonly [string, string],
    customFields: ReactNode,
  ) => (
    <div key={field} className={styles.optional}>
      {selectField(field, label, [
        ['none', options[0]],
        ['custom', options[1]],
      ])}
      {values[field] === 'custom' && customFields}
    </div>
  );
  const listField = (field: PolicyFormField, label: string) => <TextArea {...bindField(field, label)} rows={3} />;
  const hostsField = (field: 'hosts' | 'order', label: string) => (
    <TextArea {...bindField(field, label)} rows={3} hint={hostsHint(POLICY_HINTS[field], values[field], hostnames)} />
  );
  const fieldGroup = (title: string, ...fields: readonly ReactNode[]) => (
    <FieldGroup legend={title}>
      <div className={styles.fields}>{fields}</div>
    </FieldGroup>
  );

  return (
    <div className={styles.form}>
      <div className={styles.fields}>
        {optionalField(
          'hosts_mode',
          POLICY_LABELS.hosts,
          ['All members', 'Selected hosts'],
          hostsField('hosts', 'Addresses'),
        )}
        {optionalField(
          'labels_mode',
          POLICY_LABELS.labels,
          ['Any', 'Required labels'],
          listField('labels', 'Required labels'),
        )}
        {textField('max_unavailable', POLICY_LABELS.max_unavailable)}
        {textField('canary', POLICY_LABELS.canary)}
      </div>
      <details className={styles.advanced} open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>Advanced</strong>
          <span>Order, unavailable hosts, failures, health checks, drain, time window and timeouts.</span>
        </summary>
        <div className={styles.form}>
          {fieldGroup(
            'Rollout',
            selectField('ramp', POLICY_LABELS.ramp, YES_NO),
            textField('stage_parallel', POLICY_LABELS.stage_parallel),
            optionalField(
              'order_mode',
              POLICY_LABELS.order,
              ['By address', 'Selected hosts first'],
              hostsField('order', 'Hosts to start with'),
            ),
          )}
          {fieldGroup(
            'Hosts that are already unavailable',
            selectField('unhealthy', POLICY_LABELS.unhealthy, toSelectOptions(UNHEALTHY_MODES)),
            textField('max_excluded', POLICY_LABELS.max_excluded),
            selectField('wait', POLICY_LABELS.wait, YES_NO),
          )}
          {fieldGroup(
            'Failures',
            textField('max_failures', POLICY_LABELS.max_failures),
            selectField('on_failure', POLICY_LABELS.on_failure, toSelectOptions(ON_FAILURE_ACTIONS)),
          )}
          {fieldGroup(
            'Reboot and health check',
            selectField('reboot', POLICY_LABELS.reboot, toSelectOptions(REBOOT_MODES)),
            optionalField(
              'check_mode',
              POLICY_LABELS.check,
              ['None', 'Run a command'],
              <TextField {...bindField('check', 'Command')} />,
            ),
            textField('min_healthy_s', `${POLICY_LABELS.min_healthy_s} (seconds)`),
          )}
          {fieldGroup(
            'Drain',
            optionalField(
              'drain_mode',
              POLICY_LABELS.drain,
              ['No', 'Yes'],
              <>
                {textField('drain_timeout_s', 'Drain timeout (seconds)')}
                {selectField('drain_on_timeout', 'On drain timeout', toSelectOptions(DRAIN_TIMEOUT_ACTIONS))}
              </>,
            ),
          )}
          {fieldGroup(
            POLICY_LABELS.window,
            optionalField(
              'window_mode',
              POLICY_LABELS.window,
              ['Always open', 'Scheduled'],
              <>
                <WeekdayPicker value={values.window_days} onChange={days => set('window_days', days)} />
                <div className={styles.times}>
                  <TextField {...bindField('window_start', 'Opens')} type="time" />
                  <TextField {...bindField('window_end', 'Closes')} type="time" />
                  <TextField {...bindField('window_zone', 'Time zone')} />
                </div>
              </>,
            ),
          )}
          {fieldGroup(
            `${POLICY_LABELS.timeouts} (seconds)`,
            textField('timeouts_stage', 'Stage'),
            textField('timeouts_apply', 'Apply'),
            textField('timeouts_reboot', 'Reboot'),
            textField('timeouts_ready', 'Ready'),
          )}
        </div>
      </details>
    </div>
  );
}
