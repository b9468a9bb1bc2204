import { FieldGroup } from '../../ui/field.tsx';
import styles from './driver-records.module.css';

interface ChooseDriverProps {
  readonly drivers: readonly { readonly type: string; readonly summary: string }[];
  readonly chosen: string;
  readonly onChoose: (type: string) => void;
}

/** Which driver a new record is for. */
export const ChooseDriver = ({ drivers, chosen, onChoose }: ChooseDriverProps) => (
  <FieldGroup legend="Type">
    <div className={styles.drivers}>
      {drivers.map(({ type, summary }) => (
        <label key={type} className={styles.driver}>
          <input
            type="radio"
            name="driver"
            value={type}
            checked={type === chosen}
            onChange={() => onChoose(type)}
          />
          <code>{type}</code>
          <span>{summary}</span>
        </label>
      ))}
    </div>
  </FieldGroup>
);
