// Deprecations: their start, their sunset date and the replacement. A route definition declares that it, or a part of it, is deprecated. Headers,
// the OpenAPI document, generated tables and the log follow from that. The test checks the guarantees of docs/reference/versioning.md.

/**
 * A part of a route: one of its `aliases`, a query parameter, a body field, the omission of a body field, or a response field. The server cannot
 * know which response fields a client reads, so only documents announce the deprecation of these.
 */
export interface DeprecatedPart {
  readonly kind: 'alias' | 'parameter' | 'field' | 'left-out field' | 'answer field';
  readonly name: string;
}

export interface Deprecation {
  /** Default: the whole route. */
  readonly of?: DeprecatedPart;
  /** The date of the release that deprecates it, such as `2026-11-15`. */
  readonly since: string;
  /** The first date on which a release can remove it; absent if no removal is planned. */
  readonly sunset?: string;
  /** The replacement: a sentence without its full stop, such as `` use `status` ``. */
  readonly instead: string;
  /** The path of the replacement. Its variables must be variables of the route. */
  readonly successor?: `/${string}`;
}

/** The part of a route definition that is used here. */
interface Deprecating {
  readonly deprecations?: readonly Deprecation[];
}

/** The minimum notice period. */
export const SHORTEST_NOTICE_DAYS = 180;

/** The name of the deprecated part in texts. */
export function deprecatedThing(
  { method, path }: { readonly method: string; readonly path: string },
  { of }: Deprecation,
): string {
  const call = `\`${method} ${path}\``;
  if (of === undefined) return call;
  if (of.kind === 'alias') return `\`${method} ${of.name}\``;
  if (of.kind === 'left-out field') return `${call} without \`${of.name}\``;
  if (of.kind === 'answer field') return `the response field \`${of.name}\` of ${call}`;
  return `the ${of.kind} \`${of.name}\` of ${call}`;
}

const sinceWhen = ({ since, sunset, instead }: Deprecation): string =>
  `since ${since}${sunset === undefined ? '' : ` (removal on or after ${sunset})`}: ${instead}.`;

/** The sentence in documents. */
export const deprecationSentence = (deprecation: Deprecation): string =>
  `Deprecated ${sinceWhen(deprecation)}`;

/** The sentence for a field whose omission is deprecated. */
export const leftOutSentence = (deprecation: Deprecation): string =>
  `Omitting this field is deprecated ${sinceWhen(deprecation)}`;

/** The deprecation of the whole route, or of this path. */
export const pathDeprecation = (row: Deprecating, path: string): Deprecation | undefined =>
  row.deprecations?.find(({ of }) => of === undefined || (of.kind === 'alias' && of.name === path));

/** The deprecation of a part of a route. */
export const partDeprecation = (
  row: Deprecating,
  kind: DeprecatedPart['kind'],
  name: string,
): Deprecation | undefined => row.deprecations?.find(({ of }) => of?.kind === kind && of.name === name);
