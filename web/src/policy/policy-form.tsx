// A policy to be filled in. Hints and rules are those of the contract; an empty field is left to the cluster, else to the default.

import type { ReactNode } from 'react';
import { DRAIN_TIMEOUT_RULES, FAILURE_RULES, REBOOT_RULES } from '#vocabulary';
import { FieldGroup, SelectField, TextArea, TextField } from '../ui/forms/field.tsx';
import { wordsOf } from '../ui/status.tsx';
import { Days } from './days.tsx';
import type { DraftErrors, DraftField, PolicyDraft } from './policy-draft.ts';
import styles from './policy-form.module.css';
import { hintOf } from './policy-schema.ts';

interface PolicyFormProps {
  readonly draft: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
  readonly errors: DraftErrors;
  /** What an empty field means. */
  readonly unset: string;
}

type Choices = readonly (readonly [value: string, words: string])[];

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const choicesOf = (words: readonly string[]): Choices => words.map(word => [word, wordsOf(word)]);

export function PolicyForm({ draft, onChange, errors, unset }: PolicyFormProps) {
  const set = (field: DraftField, value: string) => {
    const zone = field === 'window_rule' && draft.window_zone === '' ? { window_zone: ownZone() } : {};
    onChange({ ...draft, ...zone, [field]: value });
  };
  const bound = (field: DraftField, label: string) => ({
    label,
    hint: hintOf(field),
    error: errors[field],
    value: draft[field],
    onChange: (event: { readonly target: { readonly value: string } }) => set(field, event.target.value),
  });
  const text = (field: DraftField, label: string, placeholder = unset) => (
    <TextField key={field} {...bound(field, label)} placeholder={placeholder} />
  );
  const choice = (field: DraftField, label: string, choices: Choices) => (
    <SelectField key={field} {...bound(field, label)}>
      <option value="">{unset}</option>
      {choices.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  );
  const ruled = (field: DraftField, label: string, choices: readonly [string, string], given: ReactNode) => (
    <div key={field} className={styles.ruled}>
      {choice(field, label, [
        ['none', choices[0]],
        ['given', choices[1]],
      ])}
      {draft[field] === 'given' && given}
    </div>
  );
  const list = (field: DraftField, label: string) => (
    <TextArea {...bound(field, label)} hint="One in a line, or with commas." rows={3} />
  );
  const group = (title: string, ...fields: readonly ReactNode[]) => (
    <FieldGroup legend={title}>
      <div className={styles.fields}>{fields}</div>
    </FieldGroup>
  );

  return (
    <div className={styles.form}>
      {group(
        'Pace',
        text('max_unavailable', 'Out of service at once'),
        text('canary', 'Canaries'),
        choice('ramp', 'Slowly at first', [
          ['true', 'yes'],
          ['false', 'no'],
        ]),
        text('stage_parallel', 'Downloads at once'),
      )}
      {group(
        'Hosts that are already down',
        choice('unhealthy', 'Unhealthy hosts', [
          ['count', 'count as unavailable'],
          ['exclude', 'exclude'],
        ]),
        text('max_excluded', 'Max excluded'),
        choice('wait', 'Wait for blocking hosts', [
          ['true', 'yes'],
          ['false', 'no'],
        ]),
      )}
      {group(
        'Failures',
        text('max_failures', 'Failures that are borne'),
        choice('on_failure', 'When more fail', choicesOf(FAILURE_RULES)),
      )}
      {group(
        'Which hosts',
        ruled('hosts_rule', 'Hosts', ['all members', 'only these …'], list('hosts', 'Addresses')),
        ruled(
          'labels_rule',
          'Labels',
          ['any', 'only with these …'],
          list('labels', 'Labels that are needed'),
        ),
        ruled('order_rule', 'Order', ['by address', 'these first …'], list('order', 'First, in this order')),
      )}
      {group(
        'Reboot and check',
        choice('reboot', 'Reboot', choicesOf(REBOOT_RULES)),
        ruled(
          'check_rule',
          'Check',
          ['none', 'this command …'],
          <TextField
            {...bound('check', 'Command')}
            hint="Words, or a JSON list where words have spaces. There is no shell."
          />,
        ),
        text('min_healthy_s', 'Must stay healthy for, in seconds'),
      )}
      {group(
        'Drain',
        ruled(
          'drain_rule',
          'Drain nodes',
          ['no', 'yes …'],
          <>
            {text('drain_timeout_s', 'Longest time, in seconds', '')}
            {choice('drain_on_timeout', 'When it takes longer', choicesOf(DRAIN_TIMEOUT_RULES))}
          </>,
        ),
      )}
      {group(
        'Window',
        ruled(
          'window_rule',
          'Window',
          ['at any time', 'only then …'],
          <>
            <Days
              value={draft.window_days}
              error={errors.window_days}
              onChange={days => set('window_days', days)}
            />
            <div className={styles.times}>
              <TextField {...bound('window_start', 'Opens')} type="time" />
              <TextField {...bound('window_end', 'Closes')} type="time" />
              <TextField {...bound('window_zone', 'Time zone')} />
            </div>
          </>,
        ),
      )}
      {group(
        'Timeouts, in seconds',
        text('timeouts_stage', 'Stage'),
        text('timeouts_apply', 'Apply'),
        text('timeouts_reboot', 'Reboot'),
        text('timeouts_ready', 'Ready'),
      )}
    </div>
  );
}
