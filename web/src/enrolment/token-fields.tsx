import { useState } from 'react';
import { SelectField, TextField } from '../ui/forms/field.tsx';
import type { LifetimeUnit } from './enrolment-input.ts';
import { isLifetimeUnit, UNIT_S } from './enrolment-input.ts';
import styles from './token-fields.module.css';

/** Field names of the API. */
export const TOKEN_FIELDS = ['uses', 'expires_in_s', 'cidr'] as const;

/** `toTokenInput` reads the values. */
export function TokenFields() {
  const [unit, setUnit] = useState<LifetimeUnit>('hours');
  return (
    <>
      <TextField label="Maximum hosts" name="uses" type="number" min={1} placeholder="1" />
      <div className={styles.lifetime}>
        <TextField
          label="Valid for"
          name="expires_in_s"
          type="number"
          min={0}
          step="any"
          placeholder={String(UNIT_S.days / UNIT_S[unit])}
        />
        <SelectField
          label="Unit"
          name="lifetime_unit"
          value={unit}
          onChange={({ target }) => isLifetimeUnit(target.value) && setUnit(target.value)}
        >
          {Object.keys(UNIT_S).map(option => (
            <option key={option}>{option}</option>
          ))}
        </SelectField>
      </div>
      <TextField
        label="Allowed source network"
        name="cidr"
        placeholder="Any"
        hint={
          <>
            For example <code>10.0.0.0/8</code>. Few hosts, a short lifetime and a narrow network reduce the damage if
            the secret leaks.
          </>
        }
      />
    </>
  );
}
