import { NOUNS } from '../../event-words/event-nouns.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { FieldGroup } from '../../ui/forms/field.tsx';
import { labelOf } from '../../ui/words/status-words.ts';
import { isPicked, toggled } from './picked-events.ts';
import styles from './webhooks.module.css';

interface EventPickerProps {
  readonly picked: readonly string[];
  readonly onChange: (picked: readonly string[]) => void;
  readonly error: string | undefined;
}

const Choice = ({
  text,
  isOn,
  onPress,
}: {
  readonly text: string;
  readonly isOn: boolean;
  readonly onPress: () => void;
}) => (
  <label className={styles.choice}>
    <input type="checkbox" checked={isOn} onChange={onPress} />
    {text}
  </label>
);

/** Which events are sent: all, all of a noun, or single types. */
export function EventPicker({ picked, onChange, error }: EventPickerProps) {
  const isEvery = picked.includes('*');
  return (
    <FieldGroup legend="Events">
      <Choice text="All events" isOn={isEvery} onPress={() => onChange(isEvery ? [] : ['*'])} />
      {!isEvery && (
        <div className={styles.nouns}>
          {NOUNS.map(({ noun, types }) => (
            <Disclosure
              key={noun}
              kind="card"
              summary={labelOf(noun)}
              aside={
                isPicked(picked, `${noun}.*`)
                  ? 'All'
                  : `${types.filter(type => isPicked(picked, type)).length} of ${types.length}`
              }
            >
              <Choice
                text={`All (${noun}.*)`}
                isOn={isPicked(picked, `${noun}.*`)}
                onPress={() => onChange(toggled(picked, `${noun}.*`))}
              />
              {types.map(type => (
                <Choice
                  key={type}
                  text={type}
                  isOn={isPicked(picked, type)}
                  onPress={() => onChange(toggled(picked, type))}
                />
              ))}
            </Disclosure>
          ))}
        </div>
      )}
      {error && <p className={styles.error}>{error}</p>}
    </FieldGroup>
  );
}
