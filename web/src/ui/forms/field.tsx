import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { createContext, useContext, useId } from 'react';
import styles from './field.module.css';

/** Error text by field name. `Form` provides it. */
export const FieldErrorsContext = createContext<Readonly<Record<string, string>>>({});

export const useFieldErrors = () => useContext(FieldErrorsContext);

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
}

interface FieldError {
  /** Defaults to the error of `name` in the form. */
  readonly error?: string | undefined;
}

interface FieldFrameProps extends FieldProps, FieldError {
  readonly name?: string | undefined;
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
  }) => ReactNode;
}

/** Shows the error instead of the hint. */
export const FieldHelp = ({ id, hint, error }: Pick<FieldFrameProps, 'hint' | 'error'> & { readonly id: string }) =>
  (hint || error) && (
    <p id={id} className={error ? styles.error : 'muted'}>
      {error ?? hint}
    </p>
  );

export function Field({ label, hint, name = '', error: ownError, children }: FieldFrameProps) {
  const id = useId();
  const formError = useFieldErrors()[name];
  const error = ownError ?? formError;
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

type TextFieldProps = FieldProps & FieldError & InputHTMLAttributes<HTMLInputElement>;

export const TextField = ({ label, hint, error, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} error={error} name={input.name}>
    {ids => <input type="text" spellCheck={false} autoCapitalize="off" {...input} {...ids} className={styles.input} />}
  </Field>
);

export const TextArea = ({ label, hint, ...area }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <Field label={label} hint={hint} name={area.name}>
    {ids => <textarea spellCheck={false} rows={4} {...area} {...ids} className={styles.input} />}
  </Field>
);

export const SelectField = ({ label, hint, ...select }: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) => (
  <Field label={label} hint={hint} name={select.name}>
    {ids => <select {...select} {...ids} className={styles.input} />}
  </Field>
);

export function CheckField({ label, hint, ...input }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input type="checkbox" {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      <FieldHelp id={`${id}-hint`} hint={hint} />
    </div>
  );
}

export const FieldGroup = ({ legend, children }: { readonly legend: string; readonly children: ReactNode }) => (
  <fieldset className={styles.group}>
    <legend>{legend}</legend>
    {children}
  </fieldset>
);

interface RadioCardsProps {
  readonly options: readonly { readonly value: string; readonly title: ReactNode; readonly description: string }[];
  readonly selected: string;
  readonly onSelect: (value: string) => void;
}

/** Must be inside a fieldset whose legend names the choice. */
export function RadioCards({ options, selected, onSelect }: RadioCardsProps) {
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
