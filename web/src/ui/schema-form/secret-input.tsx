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
    ? { hint: 'Left empty, it stays as it is.', placeholder: 'unchanged' }
    : { hint: 'It is hidden from you. To keep it, enter it again.', placeholder: 'enter it again' };
  const words = (
    <>
      {hint} {hasSecret && (isGone ? 'It will be taken away.' : kept.hint)}
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
            placeholder={isGone ? 'none' : hasSecret ? kept.placeholder : ''}
            onChange={({ target }) => onChange(target.value === '' && hasSecret ? KEPT : target.value)}
          />
          {hasSecret && !isRequired && (
            <Button onClick={() => onChange(isGone ? KEPT : '')}>
              {isGone ? 'Keep it' : 'Take it away'}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
