import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { toSentence } from '../format/text.ts';
import fieldStyles from './field.module.css';
import { Field, SelectField, TextArea, TextField } from './field.tsx';
import type { OptionField, Options, OptionValues } from './option-fields.ts';
import { canKeepSecret, UNCHANGED } from './option-fields.ts';
import styles from './schema-form.module.css';

const InlineCode = ({ children }: { readonly children: string }) =>
  children.split('`').map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <code key={key}>{part}</code> : <span key={key}>{part}</span>;
  });

interface OptionInputProps {
  readonly field: OptionField;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** Value in the existing record. Undefined if it has none. */
  readonly current: unknown;
}

interface SecretInputProps extends Omit<OptionInputProps, 'field'> {
  readonly label: string;
  readonly name: string;
  readonly hint?: ReactNode;
  readonly isRequired: boolean;
}

/** An input that never shows the current secret. The user can keep, replace or remove it. */
function SecretInput({ label, name, hint, value, onChange, current, isRequired }: SecretInputProps) {
  const hasSecret = current !== undefined;
  const isRemoved = hasSecret && value === '';
  const unchanged = canKeepSecret(current)
    ? { hint: 'Leave empty to keep the current secret.', placeholder: 'Unchanged' }
    : { hint: 'You cannot view this secret. Enter it again to save changes.', placeholder: 'Enter again' };
  const helpText = (
    <>
      {hint} {hasSecret && (isRemoved ? 'The secret is removed when you save.' : unchanged.hint)}
    </>
  );
  return (
    <Field label={label} name={name} hint={helpText}>
      {ids => (
        <div className={styles.secret}>
          <input
            {...ids}
            name={name}
            type="password"
            autoComplete="new-password"
            spellCheck={false}
            className={fieldStyles.input}
            value={value ?? ''}
            required={isRequired && !hasSecret}
            placeholder={isRemoved ? 'None' : hasSecret ? unchanged.placeholder : ''}
            onChange={({ target }) => onChange(target.value === '' && hasSecret ? UNCHANGED : target.value)}
          />
          {hasSecret && !isRequired && (
            <Button onClick={() => onChange(isRemoved ? UNCHANGED : '')}>{isRemoved ? 'Keep' : 'Remove'}</Button>
          )}
        </div>
      )}
    </Field>
  );
}

function formatHint({ description, rule, kind }: OptionField) {
  const lines = kind === 'list' ? 'One per line.' : '';
  return [toSentence(description), toSentence(rule), lines].filter(part => part !== '').join(' ');
}

function OptionInput({ field, value, onChange, current }: OptionInputProps) {
  const { name, kind, isRequired, placeholder, values } = field;
  const hint = formatHint(field);
  const common = {
    name,
    label: isRequired ? `${name} (required)` : name,
    hint: hint === '' ? undefined : <InlineCode>{hint}</InlineCode>,
  };
  const inputProps = {
    value: value ?? '',
    placeholder,
    required: isRequired,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  if (kind === 'secret')
    return <SecretInput {...common} value={value} onChange={onChange} current={current} isRequired={isRequired} />;
  if (kind === 'list') return <TextArea {...common} {...inputProps} rows={3} />;
  if (kind === 'boolean' || kind === 'enum') {
    const options = kind === 'enum' ? values : ['true', 'false'];
    const optionLabel = (option: string) => (kind === 'enum' ? option : option === 'true' ? 'Yes' : 'No');
    return (
      <SelectField {...common} {...inputProps}>
        <option value="">{placeholder === '' ? 'Default' : `Default (${optionLabel(placeholder)})`}</option>
        {options.map(option => (
          <option key={option} value={option}>
            {optionLabel(option)}
          </option>
        ))}
      </SelectField>
    );
  }
  return <TextField {...common} {...inputProps} inputMode={kind === 'number' ? 'numeric' : undefined} />;
}

// Form for the options of a driver, generated from its schema. A new driver needs no change here.

interface SchemaFormProps {
  readonly fields: readonly OptionField[];
  readonly values: OptionValues;
  readonly onChange: (values: OptionValues) => void;
  /** Current options of an existing record. */
  readonly before?: Options;
}

export const SchemaForm = ({ fields, values, onChange, before = {} }: SchemaFormProps) => (
  <div className={styles.form}>
    {fields.length === 0 && <p className={styles.none}>This driver has no options.</p>}
    {fields.map(field => (
      <OptionInput
        key={field.name}
        field={field}
        value={values[field.name] ?? null}
        onChange={value => onChange({ ...values, [field.name]: value })}
        current={before[field.name]}
      />
    ))}
  </div>
);
