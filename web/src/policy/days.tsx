import { useId } from 'react';
import { WEEKDAYS } from '#vocabulary';
import { SaidBelow } from '../ui/forms/field.tsx';
import styles from './policy-form.module.css';
import { POLICY_HINTS } from './policy-hints.ts';

interface DaysProps {
  /** With spaces between them. */
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Days of the week, in the order of the week. */
export function Days({ value, error, onChange }: DaysProps) {
  const id = useId();
  const chosen = new Set(value.split(' '));
  const toggle = (day: string) =>
    onChange(WEEKDAYS.filter(each => chosen.has(each) !== (each === day)).join(' '));
  return (
    <fieldset className={styles.days} aria-describedby={id}>
      <legend>Days</legend>
      {WEEKDAYS.map(day => (
        <label key={day}>
          <input type="checkbox" checked={chosen.has(day)} onChange={() => toggle(day)} /> {day}
        </label>
      ))}
      <SaidBelow id={id} hint={POLICY_HINTS.window_days} error={error} />
    </fieldset>
  );
}
