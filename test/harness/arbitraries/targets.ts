// Request targets: the path of a route with its parameters filled in, and mutations of that path.

import fc from 'fast-check';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { address, arbitraryValue, FIELD_VALUES, name, unusualText } from './values.ts';

/** Encoded path segments; some cannot be decoded. */
const unusualSegment = fc.oneof(
  fc.constantFrom(
    ...['%', '%z', '%zz', '%00', '%2e%2e', '%2F', 'a%2Fb', 'a%5Cb', '%25', '%F0%9F%92%A9', '%ED%A0%80'],
    ...['%C0%AF', '%FF', '+', ';a=b', '~', ':', '@', '[::1]', '::1%25lo', '::1%lo', "'", '|', '\\', '{name}'],
    ...['a'.repeat(129), 'a'.repeat(15_000), '%41'.repeat(5000), '/'.repeat(5000), 'a'.repeat(17_000)],
  ),
  unusualText.map(text => encodeURIComponent(text)),
);

const mostlyUsual = (usual: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 4, arbitrary: usual.map(encodeURIComponent) }, { weight: 1, arbitrary: unusualSegment });

/** Leaves `{id}` unchanged: only the test knows valid IDs. */
export const arbitraryPath = (
  { path, aliases = [] }: RouteDefinition,
  segments: { name: fc.Arbitrary<string>; address: fc.Arbitrary<string> } = { name, address },
): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(path, ...aliases), segments.name, segments.address)
    .map(([template, nameSegment, addressSegment]) =>
      template.replace('{name}', () => nameSegment).replace('{address}', () => addressSegment),
    );

const mutations: readonly ((path: string) => string)[] = [
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

const mutatedPath = (route: RouteDefinition) =>
  fc
    .tuple(
      arbitraryPath(route, { name: mostlyUsual(name), address: mostlyUsual(address) }),
      fc.constantFrom(...mutations),
    )
    .map(([path, mutate]) => mutate(path));

const queryPair = ({ query }: RouteDefinition) => {
  const fields = Object.entries(query?.properties ?? { limit: { type: 'integer' } });
  return fc.constantFrom(...fields).chain(([field, schema]) => {
    const valid = (FIELD_VALUES[field] ?? arbitraryValue(schema)).map(String);
    const value = fc.oneof({ weight: 6, arbitrary: valid }, { weight: 1, arbitrary: unusualText });
    return value.map(text => new URLSearchParams({ [field]: text }).toString());
  });
};

const unusualPair = fc.constantFrom(
  ...['', '=', '&', '?', 'limit', 'limit=', 'limit=%', 'limit=%zz', '%00=%00', 'q=%ED%A0%80', 'limit[]=1'],
  ...['limit[a]=1', '__proto__=1', '__proto__[limit]=1', 'toString=1', 'q=+', `q=${'a'.repeat(10_000)}`],
  ...['limit=1&'.repeat(1500), '#', 'q=\xff'],
);

const arbitraryQuery = (route: RouteDefinition) =>
  fc
    .array(fc.oneof({ weight: 8, arbitrary: queryPair(route) }, { weight: 1, arbitrary: unusualPair }), {
      maxLength: route.query ? 4 : 1,
    })
    .map(pairs => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));

export const arbitraryTarget = (route: RouteDefinition): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 10, arbitrary: arbitraryPath(route) },
        {
          weight: 2,
          arbitrary: arbitraryPath(route, { name: mostlyUsual(name), address: mostlyUsual(address) }),
        },
        { weight: 2, arbitrary: mutatedPath(route) },
      ),
      arbitraryQuery(route),
    )
    .map(([path, query]) => path + query);
