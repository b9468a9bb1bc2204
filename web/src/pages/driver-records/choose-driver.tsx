import { FieldGroup } from '../../ui/forms/field.tsx';
import { RadioCards } from '../../ui/forms/radio-cards.tsx';

interface ChooseDriverProps {
  readonly drivers: readonly { readonly type: string; readonly summary: string }[];
  readonly chosen: string;
  readonly onChoose: (type: string) => void;
}

/** Which driver a new record is for. */
export const ChooseDriver = ({ drivers, chosen, onChoose }: ChooseDriverProps) => (
  <FieldGroup legend="Type">
    <RadioCards
      choices={drivers.map(({ type, summary }) => ({
        value: type,
        title: <code>{type}</code>,
        about: summary,
      }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  </FieldGroup>
);
