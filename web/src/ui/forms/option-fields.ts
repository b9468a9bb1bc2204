import { REDACTED_OPTION } from '#vocabulary';

// The fields of a form, from the JSON Schema of a driver's options. What a schema says and no field can say is left to the service.

/** `keyed`: text, or an object written as JSON. */
export type OptionKind = 'text' | 'secret' | 'number' | 'boolean' | 'word' | 'texts' | 'keyed';

export interface OptionField {
  readonly name: string;
  readonly kind: OptionKind;
  readonly isRequired: boolean;
  readonly description: string;
  /** What is asked of a value, in words that begin with "must". */
  readonly rule: string;
  /** What holds where nothing is typed; empty where the schema does not tell. */
  readonly placeholder: string;
  /** Of the kind `word`: all there are. */
  readonly values: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const getSchema = (schema: Schema, name: string): Schema => {
  const value = schema[name];
  return isSchema(value) ? value : {};
};
const getText = (schema: Schema, name: string): string => {
  const value = schema[name];
  return typeof value === 'string' ? value : '';
};
const getTexts = (schema: Schema, name: string): readonly string[] => {
  const value = schema[name];
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
};

function getKind(schema: Schema): OptionKind {
  if (schema['secret'] === true) return 'secret';
  if (getTexts(schema, 'enum').length > 0) return 'word';
  const type = schema['type'];
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array' && getSchema(schema, 'items')['type'] === 'string') return 'texts';
  return 'keyed';
}

function getPlaceholder({ default: defaultValue }: Schema): string {
  if (defaultValue === undefined) return '';
  return typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue);
}

function toField(name: string, schema: Schema, isRequired: boolean): OptionField {
  const items = getSchema(schema, 'items');
  return {
    ...{ name, isRequired, kind: getKind(schema), values: getTexts(schema, 'enum') },
    description: getText(schema, 'description') || getText(items, 'description'),
    rule: getText(schema, 'rule') || getText(items, 'rule'),
    placeholder: getPlaceholder(schema),
  };
}

/** In the order of the schema, what is required first. */
export function optionFields(schema: Schema): readonly OptionField[] {
  const required = getTexts(schema, 'required');
  const fields = Object.entries(getSchema(schema, 'properties')).map(([name, property]) =>
    toField(name, isSchema(property) ? property : {}, required.includes(name)),
  );
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

export type Options = Readonly<Record<string, unknown>>;

/** What is typed, by the name of the field; empty: the option is not given. `KEPT`: a secret stays what it was. */
export type OptionValues = Readonly<Record<string, string | typeof UNCHANGED>>;
export const UNCHANGED = null;

function toFieldValue({ kind }: OptionField, value: unknown): OptionValues[string] {
  if (value === undefined) return '';
  if (kind === 'secret') return UNCHANGED;
  if (kind === 'texts' && Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the form of a record begins with. Secrets are never put into a field. */
export const toOptionValues = (fields: readonly OptionField[], options: Options): OptionValues =>
  Object.fromEntries(fields.map(field => [field.name, toFieldValue(field, options[field.name])]));

/** Whether a secret can stay without being typed: those who were not told it cannot send it again. */
export const canKeepSecret = (current: unknown): boolean => current !== REDACTED_OPTION;

/** What is typed, when the record turns out to be another than the form began with: what was not touched becomes what it is now. */
export function rebaseValues(
  fields: readonly OptionField[],
  values: OptionValues,
  { previous, current }: { readonly previous: Options; readonly current: Options },
): OptionValues {
  const initial = toOptionValues(fields, previous);
  const edited = Object.entries(values).filter(([name, value]) => value !== initial[name]);
  return { ...toOptionValues(fields, current), ...Object.fromEntries(edited) };
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What cannot be read is sent as it was typed: the service says what is wrong with it. */
function parseText({ kind }: OptionField, text: string): unknown {
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === 'keyed') {
    const value = tryParseJson(text);
    return typeof value === 'object' && value !== null ? value : text.trim();
  }
  if (kind === 'texts')
    return text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '');
  return kind === 'text' ? text.trim() : text;
}

/**
 * What is asked for. A secret that is kept is what the service told before: the secret, or for those who may not see it the word in its
 * place, which the service refuses in its own words. Options that have no field stay.
 */
export function toOptions(
  fields: readonly OptionField[],
  values: OptionValues,
  current: Options = {},
): Options {
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.entries(current).filter(([name]) => !names.has(name));
  const entries = fields.flatMap(field => {
    const text = values[field.name] ?? UNCHANGED;
    if (text === UNCHANGED) return field.name in current ? [[field.name, current[field.name]] as const] : [];
    return text.trim() === '' ? [] : [[field.name, parseText(field, text)] as const];
  });
  return Object.fromEntries([...others, ...entries]);
}
