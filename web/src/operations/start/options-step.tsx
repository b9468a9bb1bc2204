import type { OperationKind } from '#vocabulary';
import { OPERATION_KINDS } from '#vocabulary';
import { PolicyForm } from '../../policy/policy-form.tsx';
import type { PolicyFormErrors, PolicyFormValues } from '../../policy/policy-form-values.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useInvalidFocus } from '../../ui/forms/form.tsx';
import styles from './start-operation.module.css';

export interface StartFormValues {
  readonly kind: OperationKind;
  readonly version: string;
  readonly policy: PolicyFormValues;
}

interface OptionsStepProps {
  readonly values: StartFormValues;
  readonly onChange: (values: StartFormValues) => void;
  readonly errors: PolicyFormErrors;
  readonly versionError: string | undefined;
  /** Error of the last submit. The same object until the next submit. */
  readonly lastError: unknown;
  /** Summary of the field errors. */
  readonly summary: unknown;
  readonly formError: unknown;
  readonly isLoading: boolean;
  readonly onPreview: () => void;
  readonly onClose: () => void;
}

const KINDS: Readonly<Record<OperationKind, { readonly title: string; readonly description: string }>> = {
  restart: { title: 'Restart', description: 'Reboot each host, a few at a time.' },
  upgrade: {
    title: 'Upgrade',
    description: 'Upgrade packages or the OS image, and reboot if needed.',
  },
  deploy: {
    title: 'Deploy',
    description: 'Install a specific OS image version and reboot into it.',
  },
};

function KindPicker({ kind, onSelect }: { readonly kind: OperationKind; onSelect(kind: OperationKind): void }) {
  return (
    <fieldset className={styles.kinds}>
      <legend className="sr-only">Operation</legend>
      {OPERATION_KINDS.map(option => (
        <label key={option} className={styles.kind}>
          <input type="radio" name="kind" checked={option === kind} onChange={() => onSelect(option)} />
          <span>
            <strong>{KINDS[option].title}</strong>
            <span>{KINDS[option].description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function OptionsStep(props: OptionsStepProps) {
  const { values, onChange, errors, versionError, lastError, summary, formError, isLoading, onPreview, onClose } =
    props;
  const { kind, version, policy } = values;
  const element = useInvalidFocus(lastError);
  return (
    <form
      ref={element}
      className={styles.step}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (!isLoading) onPreview();
      }}
    >
      <ErrorBox error={summary} />
      <KindPicker kind={kind} onSelect={selected => onChange({ ...values, kind: selected })} />
      {kind === 'deploy' && (
        <TextField
          label="Version"
          hint="Version, commit, tag or image reference, in the format of the host’s image tool."
          value={version}
          error={versionError}
          onChange={event => onChange({ ...values, version: event.target.value })}
        />
      )}
      <details className={styles.policy} open={Object.keys(errors).length > 0 || undefined}>
        <summary>
          <strong>Policy</strong>
          <span>
            Empty fields use the policy of the cluster, then the defaults. You review the plan before anything starts.
          </span>
        </summary>
        <PolicyForm
          values={policy}
          errors={errors}
          emptyLabel="From cluster policy"
          onChange={changed => onChange({ ...values, policy: changed })}
        />
      </details>
      <ErrorBox error={formError} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isLoading={isLoading}>
          Preview
        </Button>
      </DialogActions>
    </form>
  );
}
