// What is deprecated: since when, until when, and what takes its place. A row says it of itself, or of a part of it; headers, the OpenAPI
// document, the tables of the documents and the log follow from that. docs/reference/versioning.md has the promises that the test here holds them to.

/**
 * A part of a row: one of its `aliases`, a parameter of the query, a field of the body, or that such a field is left out; or a field of the
 * answer, or of each record in it. No answer knows which of its fields are read, so documents alone tell of the last.
 */
export interface DeprecatedPart {
  readonly kind: 'alias' | 'parameter' | 'field' | 'left-out field' | 'answer field';
  readonly name: string;
}

export interface Deprecation {
  /** Left out: the whole row. */
  readonly of?: DeprecatedPart;
  /** The day of the release that says so, such as `2026-11-15`. */
  readonly since: string;
  /** The first day on which a release may be without it; left out while nobody knows. */
  readonly sunset?: string;
  /** What to do instead: a sentence without its full stop, such as `` use `status` ``. */
  readonly instead: string;
  /** The path that takes its place; its variables are among those of the row. */
  readonly successor?: `/${string}`;
}

/** Of a row, what matters here. */
interface Deprecating {
  readonly deprecations?: readonly Deprecation[];
}

/** How long what is deprecated stays at least. */
export const SHORTEST_NOTICE_DAYS = 180;

/** What is deprecated, as people call it. */
export function deprecatedThing(
  { method, path }: { readonly method: string; readonly path: string },
  { of }: Deprecation,
): string {
  const call = `\`${method} ${path}\``;
  if (of === undefined) return call;
  if (of.kind === 'alias') return `\`${method} ${of.name}\``;
  if (of.kind === 'left-out field') return `${call} without \`${of.name}\``;
  if (of.kind === 'answer field') return `the field \`${of.name}\` of the answer to ${call}`;
  return `the ${of.kind} \`${of.name}\` of ${call}`;
}

const sinceWhen = ({ since, sunset, instead }: Deprecation): string =>
  `since ${since}${sunset === undefined ? '' : `, gone from ${sunset} on`}: ${instead}.`;

/** For documents, beside what is deprecated. */
export const deprecationSentence = (deprecation: Deprecation): string =>
  `Deprecated ${sinceWhen(deprecation)}`;

/** The same beside a field that must not be left out. */
export const leftOutSentence = (deprecation: Deprecation): string =>
  `To leave it out is deprecated ${sinceWhen(deprecation)}`;

/** What is deprecated of a row for those who call it by this path: all of it, or the path. */
export const pathDeprecation = (row: Deprecating, path: string): Deprecation | undefined =>
  row.deprecations?.find(({ of }) => of === undefined || (of.kind === 'alias' && of.name === path));

/** What is deprecated of a part of a row. */
export const partDeprecation = (
  row: Deprecating,
  kind: DeprecatedPart['kind'],
  name: string,
): Deprecation | undefined => row.deprecations?.find(({ of }) => of?.kind === kind && of.name === name);
