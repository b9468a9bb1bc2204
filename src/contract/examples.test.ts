import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { compileSchema } from '../lib/schema.ts';
import { EXAMPLES } from './examples.ts';
import { buildInlineDocument } from './openapi.ts';

const schemas = new Map<string, object>();
const parameters: { readonly name: string; readonly schema: TSchema & { readonly examples: readonly unknown[] } }[] =
  [];
// With the operating system and the transports of the examples.
const document = buildInlineDocument('1', { os: ['debian'], transport: ['ssh'] });
JSON.stringify(document, (_key, node) => {
  if (typeof node?.['x-component'] === 'string') schemas.set(node['x-component'], node);
  if (node?.in === 'query' && node.schema.examples) parameters.push(node);
  return node;
});

test.each(Object.entries(EXAMPLES))('the example of %s matches its schema', (name, example) => {
  const schema = schemas.get(name);
  expect(schema).toBeDefined();
  expect(compileSchema(schema as TSchema)(example)).toEqual([]);
  const properties = Object.keys(Reflect.get(schema ?? {}, 'properties'));
  expect(Object.keys(example).filter(field => !properties.includes(field))).toEqual([]);
});

test('the examples of query parameters match their schemas', () => {
  expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['label', 'name', 'since', 'until']));
  for (const { name, schema } of parameters)
    for (const example of schema.examples) expect(compileSchema(schema)(example), name).toEqual([]);
});
