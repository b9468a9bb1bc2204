import type { Deprecation } from '../../contract/deprecation.ts';
import { filledIn } from '../../contract/path-variables.ts';

const earliest = (days: readonly string[]): Date | undefined => {
  const [first] = [...days].sort();
  return first === undefined ? undefined : new Date(first);
};

/**
 * As RFC 9745 (`Deprecation`), RFC 8594 (`Sunset`) and RFC 5829 (`successor-version`) have them. There is one header of each, so of several
 * deprecations the earliest days count.
 */
export function deprecationHeaders(
  deprecations: readonly Deprecation[],
  operationId: string,
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const since = earliest(deprecations.map(each => each.since));
  const sunset = earliest(deprecations.flatMap(each => each.sunset ?? []));
  const given = (name: string) => encodeURIComponent(params[name] ?? '');
  const links = [
    `</docs#${operationId}>; rel="deprecation"; type="text/html"`,
    ...deprecations.flatMap(({ successor }) =>
      successor === undefined ? [] : [`<${filledIn(successor, given)}>; rel="successor-version"`],
    ),
  ];
  return {
    ...(since && { deprecation: `@${since.getTime() / 1000}` }),
    ...(sunset && { sunset: sunset.toUTCString() }),
    link: links.join(', '),
  };
}
