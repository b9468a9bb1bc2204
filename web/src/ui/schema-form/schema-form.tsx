// A form for what a driver is set up with, from the schema that the service tells of it: a new driver needs no line here.

import type { Options, Typed } from './form-options.ts';
import { canKeep } from './form-options.ts';
import type { OptionField } from './option-fields.ts';
import { OptionInput } from './option-input.tsx';
import styles from './schema-form.module.css';

interface SchemaFormProps {
  readonly fields: readonly OptionField[];
  readonly typed: Typed;
  readonly onChange: (typed: Typed) => void;
  /** What the service says is wrong, by the name of the option. */
  readonly errors: Readonly<Record<string, string>>;
  /** The options as they are now, of a record that is there. */
  readonly before?: Options;
}

export const SchemaForm = ({ fields, typed, onChange, errors, before = {} }: SchemaFormProps) => (
  <div className={styles.form}>
    {fields.length === 0 && <p className={styles.none}>This driver has no options.</p>}
    {fields.map(field => (
      <OptionInput
        key={field.name}
        field={field}
        value={typed[field.name] ?? null}
        onChange={value => onChange({ ...typed, [field.name]: value })}
        error={errors[field.name]}
        hasSecret={field.name in before}
        canKeepSecret={canKeep(before[field.name])}
      />
    ))}
  </div>
);
