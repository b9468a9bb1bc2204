import { SelectField, TextField } from '../ui/forms/field.tsx';
import type { TokenFormValues } from './enrolment-input.ts';
import { UNIT_S } from './enrolment-input.ts';
import styles from './token-fields.module.css';

/** Field names of the API. */
export const TOKEN_FIELDS = ['uses', 'expires_in_s', 'cidr'] as const;

const UNITS = ['minutes', 'hours', 'days'] as const satisfies readonly (keyof typeof UNIT_S)[];

interface TokenFieldsProps {
  readonly values: TokenFormValues;
  readonly onChange: (values: TokenFormValues) => void;
  /** Validation errors of the server by field name. */
  readonly errors: Readonly<Record<string, string>>;
}

export function TokenFields({ values, onChange, errors }: TokenFieldsProps) {
  const field = (name: 'uses' | 'lifetime' | 'cidr') => ({
    value: values[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange({ ...values, [name]: target.value }),
  });
  return (
    <>
      <TextField
        label="Maximum hosts"
        type="number"
        min={1}
        placeholder="1"
        {...field('uses')}
        error={errors['uses']}
      />
      <div className={styles.lifetime}>
        <TextField
          label="Valid for"
          type="number"
          min={0}
          step="any"
          placeholder={String(UNIT_S.days / UNIT_S[values.lifetimeUnit])}
          {...field('lifetime')}
          error={errors['expires_in_s']}
        />
        <SelectField
          label="Unit"
          value={values.lifetimeUnit}
          onChange={({ target }) =>
            onChange({ ...values, lifetimeUnit: UNITS.find(unit => unit === target.value) ?? 'hours' })
          }
        >
          {UNITS.map(unit => (
            <option key={unit}>{unit}</option>
          ))}
        </SelectField>
      </div>
      <TextField
        label="Allowed source network"
        placeholder="Any"
        {...field('cidr')}
        hint={
          <>
            For example <code>10.0.0.0/8</code>. Few hosts, a short lifetime and a narrow network reduce the damage if
            the secret leaks.
          </>
        }
        error={errors['cidr']}
      />
    </>
  );
}
