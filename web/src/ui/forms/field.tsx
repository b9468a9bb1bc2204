import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { useId } from 'react';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

interface FieldFrameProps extends FieldProps {
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
  }) => ReactNode;
}

/** Shows the error instead of the hint. */
export const FieldHelp = ({ id, hint, error }: Pick<FieldProps, 'hint' | 'error'> & { readonly id: string }) =>
  (hint || error) && (
    <p id={id} className={error ? styles.error : 'muted'}>
      {error ?? hint}
    </p>
  );

export function Field({ label, hint, error, children }: FieldFrameProps) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [...(hint ? [hintId] : []), ...(error ? [errorId] : [])].join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={hintId} className="muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

export const TextField = ({ label, hint, error, ...input }: FieldProps & InputHTMLAttributes<HTMLInputElement>) => (
  <Field label={label} hint={hint} error={error}>
    {ids => <input type="text" spellCheck={false} autoCapitalize="off" {...input} {...ids} className={styles.input} />}
  </Field>
);

export const TextArea = ({ label, hint, error, ...area }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <Field label={label} hint={hint} error={error}>
    {ids => <textarea spellCheck={false} rows={4} {...area} {...ids} className={styles.input} />}
  </Field>
);

export const SelectField = ({
  label,
  hint,
  error,
  children,
  ...select
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) => (
  <Field label={label} hint={hint} error={error}>
    {ids => (
      <select {...select} {...ids} className={styles.input}>
        {children}
      </select>
    )}
  </Field>
);

export function CheckField({ label, hint, error, ...input }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input type="checkbox" {...input} id={id} aria-describedby={hint || error ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      <FieldHelp id={`${id}-hint`} hint={hint} error={error} />
    </div>
  );
}

export const FieldGroup = ({ legend, children }: { readonly legend: string; readonly children: ReactNode }) => (
  <fieldset className={styles.group}>
    <legend>{legend}</legend>
    {children}
  </fieldset>
);

interface RadioCardsProps<Value extends string> {
  readonly options: readonly {
    readonly value: Value;
    readonly title: ReactNode;
    readonly description: string;
  }[];
  readonly selected: string;
  readonly onSelect: (value: Value) => void;
}

/** Must be inside a fieldset whose legend names the choice. */
export function RadioCards<Value extends string>({ options, selected, onSelect }: RadioCardsProps<Value>) {
  const name = useId();
  return (
    <div className={styles.cards}>
      {options.map(({ value, title, description }) => (
        <label key={value} className={styles.card}>
          <input type="radio" name={name} value={value} checked={value === selected} onChange={() => onSelect(value)} />
          <span>{title}</span>
          <span className="muted">{description}</span>
        </label>
      ))}
    </div>
  );
}
