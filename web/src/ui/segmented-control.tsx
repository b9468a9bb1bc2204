import styles from './segmented-control.module.css';

interface SegmentedControlProps<Value> {
  /** Names the group for screen readers. */
  readonly label: string;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly selected: Value;
  readonly onSelect: (value: Value) => void;
}

/** A row of buttons of which one is selected. */
export const SegmentedControl = <Value,>({ label, options, selected, onSelect }: SegmentedControlProps<Value>) => (
  <div role="group" aria-label={label} className={styles.control}>
    {options.map(([value, text]) => (
      <button key={text} type="button" aria-pressed={value === selected} onClick={() => onSelect(value)}>
        {text}
      </button>
    ))}
  </div>
);
