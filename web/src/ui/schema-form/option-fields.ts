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
  readonly words: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemaIn = (schema: Schema, name: string): Schema => {
  const value = schema[name];
  return isSchema(value) ? value : {};
};
const textIn = (schema: Schema, name: string): string => {
  const value = schema[name];
  return typeof value === 'string' ? value : '';
};
const textsIn = (schema: Schema, name: string): readonly string[] => {
  const value = schema[name];
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
};

function kindOf(schema: Schema): OptionKind {
  if (schema['secret'] === true) return 'secret';
  if (textsIn(schema, 'enum').length > 0) return 'word';
  const type = schema['type'];
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array' && schemaIn(schema, 'items')['type'] === 'string') return 'texts';
  return 'keyed';
}

function placeholderOf({ default: standard }: Schema): string {
  if (standard === undefined) return '';
  return typeof standard === 'string' ? standard : JSON.stringify(standard);
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): OptionField {
  const items = schemaIn(schema, 'items');
  return {
    ...{ name, isRequired, kind: kindOf(schema), words: textsIn(schema, 'enum') },
    description: textIn(schema, 'description') || textIn(items, 'description'),
    rule: textIn(schema, 'rule') || textIn(items, 'rule'),
    placeholder: placeholderOf(schema),
  };
}

/** In the order of the schema, what is required first. */
export function optionFields(schema: Schema): readonly OptionField[] {
  const required = textsIn(schema, 'required');
  const fields = Object.entries(schemaIn(schema, 'properties')).map(([name, each]) =>
    fieldOf(name, isSchema(each) ? each : {}, required.includes(name)),
  );
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}
