import type { ReactNode } from 'react';
import { useId } from 'react';
import styles from './radio-cards.module.css';

interface RadioCardsProps<Value extends string> {
  readonly choices: readonly { readonly value: Value; readonly title: ReactNode; readonly about: string }[];
  readonly chosen: string;
  readonly onChoose: (value: Value) => void;
}

/** One of a few that need a line each to be told apart. A fieldset around it says what is chosen. */
export function RadioCards<Value extends string>({ choices, chosen, onChoose }: RadioCardsProps<Value>) {
  const name = useId();
  return (
    <div className={styles.cards}>
      {choices.map(({ value, title, about }) => (
        <label key={value} className={styles.card}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          <span>{title}</span>
          <span className="soft">{about}</span>
        </label>
      ))}
    </div>
  );
}
