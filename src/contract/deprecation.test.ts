import Type, { IsArray, IsObject } from 'typebox';
import { describe, expect, test } from 'vitest';
import { commissaireRoutes } from './commissaire-routes.ts';
import type { Deprecation } from './deprecation.ts';
import { deprecatedThing, deprecationSentence, SHORTEST_NOTICE_DAYS } from './deprecation.ts';
import { routes } from './index.ts';
import { openApiDocument } from './openapi.ts';
import { variablesIn } from './path-variables.ts';
import type { Route } from './route.ts';
import { READERS } from './route.ts';

const DAY_MS = 86_400_000;

const paths = new Set(Object.values<Route>(routes).map(({ path }) => path));
const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toISOString().startsWith(text);

function hasPart(row: Route, { of }: Deprecation): boolean {
  if (of === undefined) return true;
  if (of.kind === 'alias') return (row.aliases ?? []).some(alias => alias === of.name);
  const shapes = {
    parameter: row.query,
    'answer field': IsArray(row.answer) ? row.answer.items : row.answer,
  };
  const shape = of.kind === 'parameter' || of.kind === 'answer field' ? shapes[of.kind] : row.body;
  return shape !== undefined && IsObject(shape) && Object.hasOwn(shape.properties, of.name);
}

/** What docs/reference/versioning.md promises, and a deprecation does not keep. */
function problemOf(row: Route, deprecation: Deprecation): string | undefined {
  const { since, sunset, instead, successor } = deprecation;
  if (![since, ...(sunset === undefined ? [] : [sunset])].every(isDay)) return 'a day that is none';
  if (sunset !== undefined && Date.parse(sunset) - Date.parse(since) < SHORTEST_NOTICE_DAYS * DAY_MS)
    return 'too little time';
  if (!hasPart(row, deprecation)) return 'a part that the row does not have';
  if (instead.endsWith('.')) return 'a full stop too many';
  if (successor !== undefined && !paths.has(successor)) return 'a successor that nobody serves';
  if (variablesIn(successor ?? '').some(name => !variablesIn(row.path).includes(name)))
    return 'a successor that cannot be filled in';
  return undefined;
}

const toy: Route = {
  ...{ method: 'PUT', path: '/api/v0/toy/{name}', aliases: ['/api/v0/plaything/{name}'] },
  ...{ tag: 'Toys', summary: 'A toy', description: 'It is one.', roles: READERS, statuses: [200] },
  query: Type.Object({ old: Type.Optional(Type.String({ description: 'An old one.' })) }),
  body: Type.Object({ colour: Type.Optional(Type.String()), shape: Type.Optional(Type.String()) }),
  answer: Type.Array(Type.Object({ size: Type.Integer(), made: Type.String() })),
};
const deprecation: Deprecation = { since: '2026-11-15', sunset: '2027-06-01', instead: 'use another toy' };

describe('the promises about what is deprecated', () => {
  test('are kept by every row', () => {
    const problems = Object.entries(commissaireRoutes).flatMap(([name, row]) =>
      (row.deprecations ?? []).flatMap(each => problemOf(row, each) ?? []).map(why => `${name}: ${why}`),
    );
    expect(problems).toEqual([]);
  });

  test.each<[string, Partial<Deprecation>, string | undefined]>([
    ['a good one', {}, undefined],
    ['one with a successor', { successor: '/api/v0/cluster/{name}' }, undefined],
    ['one of an alias', { of: { kind: 'alias', name: '/api/v0/plaything/{name}' } }, undefined],
    ['a day in words', { since: 'soon' }, 'a day that is none'],
    ['a day that the calendar lacks', { since: '2026-02-30' }, 'a day that is none'],
    ['an early end', { sunset: '2027-05-01' }, 'too little time'],
    [
      'one of a missing field',
      { of: { kind: 'field', name: 'weight' } },
      'a part that the row does not have',
    ],
    [
      'one of a missing parameter',
      { of: { kind: 'parameter', name: 'colour' } },
      'a part that the row does not have',
    ],
    [
      'one of a missing field of the answer',
      { of: { kind: 'answer field', name: 'colour' } },
      'a part that the row does not have',
    ],
    ['one of a field of the answer', { of: { kind: 'answer field', name: 'size' } }, undefined],
    ['two sentences in one', { instead: 'use another.' }, 'a full stop too many'],
    ['a successor of nowhere', { successor: '/api/v0/game' }, 'a successor that nobody serves'],
    [
      'a successor with other variables',
      { successor: '/api/v0/host/{address}' },
      'a successor that cannot be filled in',
    ],
  ])('are told of %s', (_what, given, problem) => {
    expect(problemOf(toy, { ...deprecation, ...given })).toBe(problem);
  });

  test('let something have no end yet', () => {
    const endless = { since: '2026-11-15', instead: 'use another toy' };
    expect(problemOf(toy, endless)).toBeUndefined();
    expect(deprecationSentence(endless)).toBe('Deprecated since 2026-11-15: use another toy.');
  });
});

test.each<[Deprecation['of'], string]>([
  [undefined, '`PUT /api/v0/toy/{name}`'],
  [{ kind: 'alias', name: '/api/v0/plaything/{name}' }, '`PUT /api/v0/plaything/{name}`'],
  [{ kind: 'parameter', name: 'old' }, 'the parameter `old` of `PUT /api/v0/toy/{name}`'],
  [{ kind: 'field', name: 'colour' }, 'the field `colour` of `PUT /api/v0/toy/{name}`'],
  [{ kind: 'left-out field', name: 'shape' }, '`PUT /api/v0/toy/{name}` without `shape`'],
  [{ kind: 'answer field', name: 'size' }, 'the response field `size` of `PUT /api/v0/toy/{name}`'],
])('what is deprecated has a name: %j', (of, name) => {
  expect(deprecatedThing(toy, { ...deprecation, ...(of && { of }) })).toBe(name);
});

describe('the OpenAPI document marks', () => {
  const sentence = deprecationSentence(deprecation);
  const documentOf = (...deprecations: Deprecation[]) =>
    openApiDocument('1', { os: [], transport: [] }, { putToy: { ...toy, deprecations } }).paths;
  const all = { deprecated: true, description: expect.stringContaining(sentence) };

  test('a row that is deprecated, under each of its paths', () => {
    const { [toy.path]: own, '/api/v0/plaything/{name}': alias } = documentOf(deprecation);
    expect([own?.['put'], alias?.['put']]).toMatchObject([all, all]);
    expect(own?.['put']?.description).toMatch(
      /^It is one\. Allowed roles: `admin`.*Deprecated since 2026-11-15 \(removal on or after/,
    );
  });

  test('a path, and not the other that means the same', () => {
    const of = { kind: 'alias', name: '/api/v0/plaything/{name}' } as const;
    const { [toy.path]: own, '/api/v0/plaything/{name}': alias } = documentOf({ ...deprecation, of });
    expect(alias?.['put']).toMatchObject(all);
    expect(own?.['put']).not.toHaveProperty('deprecated');
  });

  test('a parameter and a field, and no other', () => {
    const put = documentOf(
      { ...deprecation, of: { kind: 'parameter', name: 'old' } },
      { ...deprecation, of: { kind: 'field', name: 'colour' } },
    )[toy.path]?.['put'];
    expect(put).not.toHaveProperty('deprecated');
    expect(put?.parameters).toMatchObject([{ name: 'name' }, { name: 'old', ...all }]);
    expect(put?.parameters[1]).toMatchObject({ description: `An old one. ${sentence}` });
    const body = put?.requestBody?.content['application/json'].schema;
    expect(body).toMatchObject({ properties: { colour: { type: 'string', ...all } } });
    expect(body).not.toHaveProperty('properties.shape.deprecated');
  });

  test('that a field is left out, in what is said of the field, which itself is not deprecated', () => {
    const put = documentOf({ ...deprecation, of: { kind: 'left-out field', name: 'shape' } })[toy.path]?.[
      'put'
    ];
    const body = put?.requestBody?.content['application/json'].schema;
    const description =
      'Omitting this field is deprecated since 2026-11-15 (removal on or after 2027-06-01): use another toy.';
    expect(body).toMatchObject({ properties: { shape: { type: 'string', description } } });
    expect(JSON.stringify(put)).not.toContain('"deprecated":true');
  });

  test('a field of the answer, and no other', () => {
    const put = documentOf({ ...deprecation, of: { kind: 'answer field', name: 'size' } })[toy.path]?.['put'];
    const schema = { items: { properties: { size: { type: 'integer', ...all } } } };
    expect(put?.responses).toMatchObject({ 200: { content: { 'application/json': { schema } } } });
    expect(JSON.stringify(put).match(/"deprecated":true/g)).toHaveLength(1);
  });
});
