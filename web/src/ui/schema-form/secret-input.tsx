import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import fieldStyles from '../forms/field.module.css';
import { Field } from '../forms/field.tsx';
import { KEPT } from './form-options.ts';
import styles from './schema-form.module.css';

interface SecretInputProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error: string | undefined;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** Whether the secret that is there stays when nothing is typed. */
  readonly canKeep: boolean;
  readonly hasSecret: boolean;
  readonly isRequired: boolean;
}

/** A secret is typed and never shown. One that is there stays, is replaced, or is taken away. */
export function SecretInput(props: SecretInputProps) {
  const { label, hint, error, value, onChange, canKeep, hasSecret, isRequired } = props;
  const isGone = hasSecret && value === '';
  const kept = canKeep
    ? { hint: 'Leave empty to keep the current secret.', placeholder: 'Unchanged' }
    : { hint: 'You cannot view this secret. Enter it again to save changes.', placeholder: 'Enter again' };
  const words = (
    <>
      {hint} {hasSecret && (isGone ? 'The secret is removed when you save.' : kept.hint)}
    </>
  );
  return (
    <Field label={label} hint={words} error={error}>
      {ids => (
        <div className={styles.secret}>
          <input
            {...ids}
            type="password"
            autoComplete="new-password"
            spellCheck={false}
            className={fieldStyles.input}
            value={value ?? ''}
            required={isRequired && !hasSecret}
            placeholder={isGone ? 'None' : hasSecret ? kept.placeholder : ''}
            onChange={({ target }) => onChange(target.value === '' && hasSecret ? KEPT : target.value)}
          />
          {hasSecret && !isRequired && (
            <Button onClick={() => onChange(isGone ? KEPT : '')}>{isGone ? 'Keep' : 'Remove'}</Button>
          )}
        </div>
      )}
    </Field>
  );
}
