// Compares the flags that error messages name for request fields with the CLI options and the API contract.

import { IsObject } from 'typebox';
import { expect, test } from 'vitest';
import { clientFlags } from '../../../test/harness/documents/cli-tables.ts';
import { routes } from '../../contract/index.ts';
import { Policy } from '../../contract/policy.ts';
import type { RouteDefinition } from '../../contract/route-definition.ts';
import { replacePolicyFields, toPolicyFlag } from '../policy/policy-flags.ts';
import { describeField, FIELD_FLAGS } from './server-text.ts';

const FLAGS = clientFlags();

const requestFields = new Set(
  Object.values<RouteDefinition>(routes).flatMap(({ query, body }) =>
    [query, body].flatMap(schema => (IsObject(schema) ? Object.keys(schema.properties) : [])),
  ),
);

/** The option of this name has another meaning, or the field is an object with its own options. */
const OTHER_OPTION = ['hosts', 'legacy', 'name', 'output', 'policy'];

test('every flag of a request field is an option of a command', () => {
  const flags = Object.values(FIELD_FLAGS).flatMap(text => /^--\S+/.exec(text) ?? []);
  expect(flags.filter(flag => !FLAGS.has(flag))).toEqual([]);
});

test('every field with a flag is a field of a request', () => {
  expect(Object.keys(FIELD_FLAGS).filter(field => !requestFields.has(field))).toEqual([]);
});

test('every request field with an option of the same name is translated to a flag', () => {
  const untranslated = [...requestFields]
    .filter(field => FLAGS.has(`--${field.replaceAll('_', '-')}`))
    .filter(field => !describeField(`/${field}`).startsWith('--'));
  expect(untranslated.sort()).toEqual(OTHER_OPTION);
});

test('messages replace policy fields with an underscore or a dot by their flags', () => {
  const [, drain] = Policy.properties.drain.anyOf;
  const paths = [
    ...Object.keys(Policy.properties).map(field => [field]),
    ...Object.keys(drain.properties).map(part => ['drain', part]),
    ...Object.keys(Policy.properties.timeouts.properties).map(part => ['timeouts', part]),
  ].filter(path => /[._]/.test(path.join('.')));
  expect(paths).toContainEqual(['timeouts', 'ready']);
  const untranslated = paths.filter(path => replacePolicyFields(path.join('.')) !== toPolicyFlag(path));
  expect(untranslated).toEqual([]);
});
