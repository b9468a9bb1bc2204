import { SelectField, TextArea, TextField } from '../forms/field.tsx';
import { HintWords } from '../words/hint-words.tsx';
import { sentence } from '../words/sentence.ts';
import type { OptionField } from './option-fields.ts';
import { SecretInput } from './secret-input.tsx';

interface OptionInputProps {
  readonly field: OptionField;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly error: string | undefined;
  /** Whether there is a secret, and whether it can stay without being typed. */
  readonly hasSecret: boolean;
  readonly canKeepSecret: boolean;
}

function hintOf({ description, rule, kind }: OptionField) {
  const lines = kind === 'texts' ? 'One per line.' : '';
  const asked = sentence(rule);
  return [sentence(description), asked, lines].filter(each => each !== '').join(' ');
}

/** What one option is typed into. */
export function OptionInput({ field, value, onChange, error, hasSecret, canKeepSecret }: OptionInputProps) {
  const { name, kind, isRequired, placeholder, words } = field;
  const hint = hintOf(field);
  const common = {
    label: isRequired ? `${name} (required)` : name,
    hint: hint === '' ? undefined : <HintWords>{hint}</HintWords>,
    error,
  };
  const typed = {
    value: value ?? '',
    placeholder,
    required: isRequired,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  if (kind === 'secret')
    return (
      <SecretInput
        {...common}
        value={value}
        onChange={onChange}
        canKeep={canKeepSecret}
        hasSecret={hasSecret}
        isRequired={isRequired}
      />
    );
  if (kind === 'texts') return <TextArea {...common} {...typed} rows={3} />;
  if (kind === 'boolean' || kind === 'word') {
    const choices = kind === 'word' ? words : ['true', 'false'];
    const wordFor = (choice: string) => (kind === 'word' ? choice : choice === 'true' ? 'Yes' : 'No');
    return (
      <SelectField {...common} {...typed}>
        <option value="">{placeholder === '' ? 'Default' : `Default (${wordFor(placeholder)})`}</option>
        {choices.map(choice => (
          <option key={choice} value={choice}>
            {wordFor(choice)}
          </option>
        ))}
      </SelectField>
    );
  }
  return <TextField {...common} {...typed} inputMode={kind === 'number' ? 'numeric' : undefined} />;
}
