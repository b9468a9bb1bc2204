// A policy to be filled in. An empty field is left to the cluster, else to the default.

import type { ReactNode } from 'react';
import { DRAIN_TIMEOUT_ACTIONS, ON_FAILURE_ACTIONS, REBOOT_MODES } from '#vocabulary';
import { FieldGroup, SelectField, TextArea, TextField } from '../ui/forms/field.tsx';
import { labelOf } from '../ui/words/status-words.ts';
import { Days } from './days.tsx';
import type { DraftErrors, DraftField, PolicyDraft } from './policy-draft.ts';
import styles from './policy-form.module.css';
import { POLICY_HINTS } from './policy-hints.ts';
import { POLICY_LABELS } from './policy-labels.ts';

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
        text('max_unavailable', POLICY_LABELS.max_unavailable),
        text('canary', POLICY_LABELS.canary),
        choice('ramp', POLICY_LABELS.ramp, [
          ['true', 'Yes'],
          ['false', 'No'],
        ]),
        text('stage_parallel', POLICY_LABELS.stage_parallel),
      )}
      {group(
        'Hosts that are already unavailable',
        choice('unhealthy', POLICY_LABELS.unhealthy, [
          ['count', 'Count'],
          ['exclude', 'Exclude'],
        ]),
        text('max_excluded', POLICY_LABELS.max_excluded),
        choice('wait', POLICY_LABELS.wait, [
          ['true', 'Yes'],
          ['false', 'No'],
        ]),
      )}
      {group(
        'Failures',
        text('max_failures', POLICY_LABELS.max_failures),
        choice('on_failure', POLICY_LABELS.on_failure, choicesOf(ON_FAILURE_ACTIONS)),
      )}
      {group(
        'Hosts to include',
        ruled(
          'hosts_rule',
          POLICY_LABELS.hosts,
          ['All members', 'Selected hosts'],
          list('hosts', 'Addresses'),
        ),
        ruled(
          'labels_rule',
          POLICY_LABELS.labels,
          ['Any', 'Required labels'],
          list('labels', 'Required labels'),
        ),
        ruled(
          'order_rule',
          POLICY_LABELS.order,
          ['By address', 'Selected hosts first'],
          list('order', 'Hosts to start with'),
        ),
      )}
      {group(
        'Reboot and health check',
        choice('reboot', POLICY_LABELS.reboot, choicesOf(REBOOT_MODES)),
        ruled(
          'check_rule',
          POLICY_LABELS.check,
          ['None', 'Run a command'],
          <TextField {...bound('check', 'Command')} />,
        ),
        text('min_healthy_s', `${POLICY_LABELS.min_healthy_s} (seconds)`),
      )}
      {group(
        'Drain',
        ruled(
          'drain_rule',
          POLICY_LABELS.drain,
          ['No', 'Yes'],
          <>
            {text('drain_timeout_s', 'Drain timeout (seconds)', '')}
            {choice('drain_on_timeout', 'On drain timeout', choicesOf(DRAIN_TIMEOUT_ACTIONS))}
          </>,
        ),
      )}
      {group(
        POLICY_LABELS.window,
        ruled(
          'window_rule',
          POLICY_LABELS.window,
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
        `${POLICY_LABELS.timeouts} (seconds)`,
        text('timeouts_stage', 'Stage'),
        text('timeouts_apply', 'Apply'),
        text('timeouts_reboot', 'Reboot'),
        text('timeouts_ready', 'Ready'),
      )}
    </div>
  );
}
