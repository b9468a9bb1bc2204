import type { TSchema } from 'typebox';
import type { Route } from '../../src/contract/route.ts';

/** What is looked at of a JSON Schema. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

/** Schemas are JSON Schema. */
const shapeOf = (schema: TSchema | undefined): Shape => (schema ?? {}) as Shape;

interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
}

/** The fields of a shape and of all shapes in it; `[]` stands for what is in a list, `*` for a key that the caller chooses. */
function fieldsOf(shape: Shape, prefix = ''): readonly Field[] {
  const own = Object.entries(shape.properties ?? {}).map(([name, field]) => ({
    name: prefix + name,
    shape: field,
    isRequired: shape.required?.includes(name) ?? false,
  }));
  return [
    ...own,
    ...own.flatMap(field => fieldsOf(field.shape, `${field.name}.`)),
    ...(shape.items ? fieldsOf(shape.items, `${prefix.replace(/\.$/, '')}[].`) : []),
    ...(shape.anyOf ?? []).flatMap(part => fieldsOf(part, prefix)),
    ...Object.values(shape.patternProperties ?? {}).flatMap(part => fieldsOf(part, `${prefix}*.`)),
  ];
}

/** Every type that a value may have, and where words are listed each of them. */
function typesOf({ type, enum: words, const: word, anyOf, items }: Shape): readonly string[] {
  if (words) return words.map(each => JSON.stringify(each));
  if (word !== undefined) return [JSON.stringify(word)];
  if (anyOf) return anyOf.flatMap(typesOf);
  if (items) return typesOf(items).map(each => `list of ${each}`);
  return type === undefined ? ['any'] : [type].flat();
}

/** Words in answers may become more, but where the vocabulary is closed: so they are text here. */
const answerType = (shape: Shape): string =>
  [...new Set(typesOf(shape).map(each => each.replace(/".*"/, 'string')))].sort().join(' or ');

const taken = (sign: string, shape: Shape): readonly string[] =>
  fieldsOf(shape).flatMap(field => typesOf(field.shape).map(type => `${sign} ${field.name}: ${type}`));

const needed = (sign: string, shape: Shape): readonly string[] =>
  fieldsOf(shape).flatMap(({ name, isRequired }) => (isRequired ? [`${sign} ${name}`] : []));

const roleLines = ({ roles }: Route): readonly string[] =>
  roles === 'anyone' ? ['for anyone'] : roles.map(role => `for ${role}`);

function linesOf(row: Route): readonly string[] {
  return [
    ...roleLines(row),
    ...row.statuses.map(status => `is answered by ${status}`),
    ...(row.isConditional ? ['takes If-Match'] : []),
    ...(row.hasIdempotencyKey ? ['takes Idempotency-Key'] : []),
    ...(row.hasLastEventId ? ['takes Last-Event-ID'] : []),
    ...taken('?', shapeOf(row.query)),
    ...taken('<', shapeOf(row.body)),
    `> ${row.mediaType ?? answerType(shapeOf(row.answer))}`,
    ...fieldsOf(shapeOf(row.answer)).map(({ name, shape }) => `> ${name}: ${answerType(shape)}`),
  ];
}

const callsOf = ({ method, path, aliases = [] }: Route): readonly string[] =>
  [path, ...aliases].map(each => `${method} ${each}`);

/** What can be asked for, and what comes back: `?` is before a parameter, `<` before a field of the body, `>` before one of the answer. */
export const requestLines = (rows: readonly Route[]): readonly string[] =>
  rows.flatMap(row => callsOf(row).flatMap(call => [call, ...linesOf(row).map(line => `${call} ${line}`)]));

/** What answers may be without. */
export const optionalLines = (rows: readonly Route[]): readonly string[] =>
  rows.flatMap(row => {
    const optional = fieldsOf(shapeOf(row.answer)).filter(({ isRequired }) => !isRequired);
    return callsOf(row).flatMap(call => optional.map(({ name }) => `${call} > ${name}`));
  });

/** What has to be sent. */
export const neededLines = (rows: readonly Route[]): readonly string[] =>
  rows.flatMap(row => {
    const lines = [...needed('?', shapeOf(row.query)), ...needed('<', shapeOf(row.body))];
    return callsOf(row).flatMap(call => lines.map(line => `${call} ${line}`));
  });
