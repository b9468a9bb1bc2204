import { REDACTED_OPTION } from '#vocabulary';

// Form fields from the JSON Schema of a driver's options. The server checks constraints that a field cannot express.

/** `json`: text, or an object written as JSON. */
type OptionKind = 'text' | 'secret' | 'number' | 'boolean' | 'enum' | 'list' | 'json';

export interface OptionField {
  readonly name: string;
  readonly kind: OptionKind;
  readonly isRequired: boolean;
  readonly description: string;
  /** Constraint of the value, starting with "must". */
  readonly rule: string;
  /** The default value. Empty if the schema has none. */
  readonly placeholder: string;
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
  if (getTexts(schema, 'enum').length > 0) return 'enum';
  const type = schema['type'];
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array' && getSchema(schema, 'items')['type'] === 'string') return 'list';
  return 'json';
}

function getPlaceholder({ default: defaultValue }: Schema): string {
  if (defaultValue === undefined) return '';
  return typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue);
}

function toField(name: string, schema: Schema, isRequired: boolean): OptionField {
  const items = getSchema(schema, 'items');
  return {
    name,
    isRequired,
    kind: getKind(schema),
    values: getTexts(schema, 'enum'),
    description: getText(schema, 'description') || getText(items, 'description'),
    rule: getText(schema, 'rule') || getText(items, 'rule'),
    placeholder: getPlaceholder(schema),
  };
}

/** Required fields first, then in the order of the schema. */
export function optionFields(schema: Schema): readonly OptionField[] {
  const required = getTexts(schema, 'required');
  const fields = Object.entries(getSchema(schema, 'properties')).map(([name, property]) =>
    toField(name, isSchema(property) ? property : {}, required.includes(name)),
  );
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
}

export type Options = Readonly<Record<string, unknown>>;

/** Values by field name. An empty string omits the option. `UNCHANGED` keeps a secret. */
export type OptionValues = Readonly<Record<string, string | typeof UNCHANGED>>;
export const UNCHANGED = null;

function toFieldValue({ kind }: OptionField, value: unknown): OptionValues[string] {
  if (value === undefined) return '';
  if (kind === 'secret') return UNCHANGED;
  if (kind === 'list' && Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Initial values for the form of a record. A secret is never put into a field. */
export const toOptionValues = (fields: readonly OptionField[], options: Options): OptionValues =>
  Object.fromEntries(fields.map(field => [field.name, toFieldValue(field, options[field.name])]));

/** False if the server redacted the secret: the client cannot send it again. */
export const canKeepSecret = (current: unknown): boolean => current !== REDACTED_OPTION;

/** Applies the edits of the user to a record that has changed. Fields without an edit get their current value. */
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

/** Text that cannot be parsed is sent unchanged, and the server rejects it with a message. */
function parseText({ kind }: OptionField, text: string): unknown {
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === 'json') {
    const value = tryParseJson(text);
    return typeof value === 'object' && value !== null ? value : text.trim();
  }
  if (kind === 'list')
    return text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '');
  return kind === 'text' ? text.trim() : text;
}

/**
 * An unchanged secret is sent as the server returned it. If it was redacted, the server rejects the placeholder.
 * Options without a field are kept.
 */
export function toOptions(fields: readonly OptionField[], values: OptionValues, current: Options = {}): Options {
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.entries(current).filter(([name]) => !names.has(name));
  const entries = fields.flatMap(field => {
    const text = values[field.name] ?? UNCHANGED;
    if (text === UNCHANGED) return field.name in current ? [[field.name, current[field.name]] as const] : [];
    return text.trim() === '' ? [] : [[field.name, parseText(field, text)] as const];
  });
  return Object.fromEntries([...others, ...entries]);
}
