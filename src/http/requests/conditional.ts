import type { ExpectedRevision } from '../../app/expected-revision.ts';

export const etagOf = (revision: string): string => `"${revision}"`;

/** Reads `If-Match`. It asks for strong validators (RFC 9110), so a weak one, or none at all, matches nothing. */
export function parseIfMatch(header: string | undefined): ExpectedRevision | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, revision = '']) =>
    weak ? [] : [revision],
  );
}
