// A policy to be filled in. An empty field is left to the cluster, else to the default.

import type { ReactNode } from 'react';
import { DRAIN_TIMEOUT_RULES, FAILURE_RULES, REBOOT_RULES } from '#vocabulary';
import { FieldGroup, SelectField, TextArea, TextField } from '../ui/forms/field.tsx';
import { labelOf } from '../ui/words/status-words.ts';
import { Days } from './days.tsx';
import type { DraftErrors, DraftField, PolicyDraft } from './policy-draft.ts';
import styles from './policy-form.module.css';
import { POLICY_HINTS } from './policy-hints.ts';

interface PolicyFormProps {
  readonly draft: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
  readonly errors: DraftErrors;
  /** What an empty field means. */
  readonly unset: string;
}

type Choices = readonly (readonly [value: string, words: string])[];

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const choicesOf = (words: readonly string[]): Choices => words.map(word => [word, labelOf(word)]);

export function PolicyForm({ draft, onChange, errors, unset }: PolicyFormProps) {
  const set = (field: DraftField, value: string) => {
    const zone = field === 'window_rule' && draft.window_zone === '' ? { window_zone: ownZone() } : {};
    onChange({ ...draft, ...zone, [field]: value });
  };
  const bound = (field: DraftField, label: string) => ({
    label,
    hint: POLICY_HINTS[field],
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
  const list = (field: DraftField, label: string) => <TextArea {...bound(field, label)} rows={3} />;
  const group = (title: string, ...fields: readonly ReactNode[]) => (
    <FieldGroup legend={title}>
      <div className={styles.fields}>{fields}</div>
    </FieldGroup>
  );

  return (
    <div className={styles.form}>
      {group(
        'Rollout',
        text('max_unavailable', 'Max unavailable'),
        text('canary', 'Canary hosts'),
        choice('ramp', 'Ramp up', [
          ['true', 'Yes'],
          ['false', 'No'],
        ]),
        text('stage_parallel', 'Parallel downloads'),
      )}
      {group(
        'Hosts that are already unavailable',
        choice('unhealthy', 'Already unavailable hosts', [
          ['count', 'Count'],
          ['exclude', 'Exclude'],
        ]),
        text('max_excluded', 'Max excluded'),
        choice('wait', 'Wait for unavailable hosts', [
          ['true', 'Yes'],
          ['false', 'No'],
        ]),
      )}
      {group(
        'Failures',
        text('max_failures', 'Max failures'),
        choice('on_failure', 'If more hosts fail', choicesOf(FAILURE_RULES)),
      )}
      {group(
        'Hosts to include',
        ruled('hosts_rule', 'Hosts', ['All members', 'Selected hosts'], list('hosts', 'Addresses')),
        ruled('labels_rule', 'Labels', ['Any', 'Required labels'], list('labels', 'Required labels')),
        ruled(
          'order_rule',
          'Order',
          ['By address', 'Selected hosts first'],
          list('order', 'Hosts to start with'),
        ),
      )}
      {group(
        'Reboot and health check',
        choice('reboot', 'Reboot', choicesOf(REBOOT_RULES)),
        ruled(
          'check_rule',
          'Health check command',
          ['None', 'Run a command'],
          <TextField {...bound('check', 'Command')} />,
        ),
        text('min_healthy_s', 'Minimum healthy time (seconds)'),
      )}
      {group(
        'Drain',
        ruled(
          'drain_rule',
          'Drain nodes',
          ['No', 'Yes'],
          <>
            {text('drain_timeout_s', 'Drain timeout (seconds)', '')}
            {choice('drain_on_timeout', 'On drain timeout', choicesOf(DRAIN_TIMEOUT_RULES))}
          </>,
        ),
      )}
      {group(
        'Time window',
        ruled(
          'window_rule',
          'Time window',
          ['Always open', 'Scheduled'],
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
        'Timeouts (seconds)',
        text('timeouts_stage', 'Stage'),
        text('timeouts_apply', 'Apply'),
        text('timeouts_reboot', 'Reboot'),
        text('timeouts_ready', 'Ready'),
      )}
    </div>
  );
}
