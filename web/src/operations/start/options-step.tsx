import type { OperationKind } from '#vocabulary';
import { OPERATION_KINDS } from '#vocabulary';
import { PolicyForm } from '../../policy/policy-form.tsx';
import type { PartialPolicy, PolicyFormValues } from '../../policy/policy-form-values.ts';
import { formFieldFor } from '../../policy/policy-form-values.ts';
import { toPolicyInput } from '../../policy/policy-input.ts';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import type { FieldResolver } from '../../ui/forms/field-errors.ts';
import { Form } from '../../ui/forms/form.tsx';
import styles from './start-operation.module.css';

export interface StartFormValues {
  readonly kind: OperationKind;
  readonly version: string;
  readonly policy: PolicyFormValues;
}

interface OptionsStepProps {
  readonly values: StartFormValues;
  readonly clusterPolicy: PartialPolicy;
  readonly onChange: (values: StartFormValues) => void;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly onPreview: () => void;
  readonly onClose: () => void;
}

const KINDS: Readonly<Record<OperationKind, { readonly title: string; readonly description: string }>> = {
  restart: { title: 'Restart', description: 'Reboot each host, a few at a time.' },
  upgrade: { title: 'Upgrade', description: 'Upgrade packages or the OS image, and reboot if needed.' },
  deploy: { title: 'Deploy', description: 'Install a specific OS image version and reboot into it.' },
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

/** `version` is next to `policy` in the request body. */
const formField: FieldResolver = (name, part) => (name === 'version' ? name : formFieldFor(name, part));

export function OptionsStep({
  values,
  clusterPolicy,
  onChange,
  error,
  isLoading,
  onPreview,
  onClose,
}: OptionsStepProps) {
  const actions = (
    <DialogActions>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" type="submit" isLoading={isLoading}>
        Preview
      </Button>
    </DialogActions>
  );
  return (
    <Form
      onSubmit={onPreview}
      isLoading={isLoading}
      error={error}
      fields={formField}
      pathPrefix="/policy"
      clientErrors={toPolicyInput(values.policy).errors}
      actions={actions}
    >
      <KindPicker kind={values.kind} onSelect={kind => onChange({ ...values, kind })} />
      {values.kind === 'deploy' && (
        <TextField
          label="Version"
          name="version"
          hint="Version, commit, tag or image reference, in the format of the host’s image tool."
          value={values.version}
          onChange={event => onChange({ ...values, version: event.target.value })}
        />
      )}
      <PolicyForm
        values={values.policy}
        clusterPolicy={clusterPolicy}
        onChange={policy => onChange({ ...values, policy })}
      />
      <p className={styles.note}>You review the plan before anything starts.</p>
    </Form>
  );
}
