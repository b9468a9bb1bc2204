import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { useId } from 'react';
import styles from './field.module.css';

interface Labelled {
  readonly label: string;
  /** What to know before one types. */
  readonly hint?: ReactNode;
  /** What is wrong with what was typed. */
  readonly error?: string | undefined;
}

interface FrameProps extends Labelled {
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
  }) => ReactNode;
}

/** What is wrong, or else the hint, where there is room for one of them. */
export const SaidBelow = ({ id, hint, error }: Pick<Labelled, 'hint' | 'error'> & { readonly id: string }) =>
  (hint || error) && (
    <p id={id} className={error ? styles.error : 'soft'}>
      {error ?? hint}
    </p>
  );

/** A label, the field, and what is said of it. */
export function Field({ label, hint, error, children }: FrameProps) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [...(hint ? [hintId] : []), ...(error ? [errorId] : [])].join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={hintId} className="soft">
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

export const TextField = ({
  label,
  hint,
  error,
  ...input
}: Labelled & InputHTMLAttributes<HTMLInputElement>) => (
  <Field label={label} hint={hint} error={error}>
    {ids => (
      <input
        type="text"
        spellCheck={false}
        autoCapitalize="off"
        {...input}
        {...ids}
        className={styles.input}
      />
    )}
  </Field>
);

export const TextArea = ({
  label,
  hint,
  error,
  ...area
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
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
}: Labelled & SelectHTMLAttributes<HTMLSelectElement>) => (
  <Field label={label} hint={hint} error={error}>
    {ids => (
      <select {...select} {...ids} className={styles.input}>
        {children}
      </select>
    )}
  </Field>
);

export function CheckField({
  label,
  hint,
  error,
  ...input
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input type="checkbox" {...input} id={id} aria-describedby={hint || error ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      <SaidBelow id={`${id}-hint`} hint={hint} error={error} />
    </div>
  );
}

/** Fields that belong together. */
export const FieldGroup = ({
  legend,
  children,
}: {
  readonly legend: string;
  readonly children: ReactNode;
}) => (
  <fieldset className={styles.group}>
    <legend>{legend}</legend>
    {children}
  </fieldset>
);
