// The targets of requests: a row's path with what varies filled in, and bent in the ways of paths.

import fc from 'fast-check';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { fitting } from './by-schema.ts';
import { address, KNOWN, name, odd } from './values.ts';

/** As it stands in a path; some of it cannot be decoded. */
const oddSegment = fc.oneof(
  fc.constantFrom(
    ...['%', '%z', '%zz', '%00', '%2e%2e', '%2F', 'a%2Fb', 'a%5Cb', '%25', '%F0%9F%92%A9', '%ED%A0%80'],
    ...['%C0%AF', '%FF', '+', ';a=b', '~', ':', '@', '[::1]', '::1%25lo', '::1%lo', "'", '|', '\\', '{name}'],
    ...['a'.repeat(129), 'a'.repeat(15_000), '%41'.repeat(5000), '/'.repeat(5000), 'a'.repeat(17_000)],
  ),
  odd.map(text => encodeURIComponent(text)),
);

const often = (usual: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 4, arbitrary: usual.map(encodeURIComponent) }, { weight: 1, arbitrary: oddSegment });

/** Where a row is served, with what varies filled in; but for `{id}`, which only the test can know. */
export const pathOf = (
  { path, aliases = [] }: RouteDefinition,
  filling: { name: fc.Arbitrary<string>; address: fc.Arbitrary<string> } = { name, address },
): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(path, ...aliases), filling.name, filling.address)
    .map(([template, ofName, ofAddress]) =>
      template.replace('{name}', () => ofName).replace('{address}', () => ofAddress),
    );

const bends: readonly ((path: string) => string)[] = [
  path => path.replaceAll('/', '//'),
  path => `${path}/`,
  path => `/.${path}`,
  path => `/x/..${path}`,
  path => path.replace('/', '/%2e/'),
  path => path.toUpperCase(),
  path => path.replace('a', '%61'),
  path => path.replaceAll('/', '%2F'),
  path => path.replaceAll('/', '\\'),
  path => path.replace('v0', 'v1'),
  path => `${path}/more`,
  path => `${path}#fragment`,
  path => `${path};a=b`,
  path => `${path}%`,
  path => `${path}\xff`,
  path => `${path} more`,
  path => `http://127.0.0.1${path}`,
  path => `https://user:password@[::1]:1${path}`,
  path => path.slice(1),
  () => '*',
  () => '/',
  () => '127.0.0.1:22',
];

const bent = (row: RouteDefinition) =>
  fc
    .tuple(pathOf(row, { name: often(name), address: often(address) }), fc.constantFrom(...bends))
    .map(([path, bend]) => bend(path));

const pair = ({ query }: RouteDefinition) => {
  const fields = Object.entries(query?.properties ?? { limit: { type: 'integer' } });
  return fc.constantFrom(...fields).chain(([field, schema]) => {
    const good = (KNOWN[field] ?? fitting(schema)).map(String);
    const value = fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: odd });
    return value.map(text => new URLSearchParams({ [field]: text }).toString());
  });
};

const oddPair = fc.constantFrom(
  ...['', '=', '&', '?', 'limit', 'limit=', 'limit=%', 'limit=%zz', '%00=%00', 'q=%ED%A0%80', 'limit[]=1'],
  ...['limit[a]=1', '__proto__=1', '__proto__[limit]=1', 'toString=1', 'q=+', `q=${'a'.repeat(10_000)}`],
  ...['limit=1&'.repeat(1500), '#', 'q=\xff'],
);

const queryOf = (row: RouteDefinition) =>
  fc
    .array(fc.oneof({ weight: 8, arbitrary: pair(row) }, { weight: 1, arbitrary: oddPair }), {
      maxLength: row.query ? 4 : 1,
    })
    .map(pairs => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));

export const targetOf = (row: RouteDefinition): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 10, arbitrary: pathOf(row) },
        { weight: 2, arbitrary: pathOf(row, { name: often(name), address: often(address) }) },
        { weight: 2, arbitrary: bent(row) },
      ),
      queryOf(row),
    )
    .map(([path, query]) => path + query);
