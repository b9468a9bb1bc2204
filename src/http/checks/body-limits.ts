import type { BodySize } from '../../contract/route.ts';

/** What a body may have at most. Values are all that JSON has between commas: numbers, texts, lists, objects. */
export interface BodyLimit {
  readonly bytes: number;
  readonly values: number;
}

/** The settings that bound bodies. */
export interface BodySettings {
  readonly bodyBytes: number;
  readonly members: number;
  readonly bulkHosts: number;
}

const KIB = 1024;
/** The fields of a request beside its list. */
const OTHER_VALUES = 1000;
/** A host to enrol has eight fields, and a list of its host keys. */
const VALUES_OF_HOST = 20;

/** By the size that a route names. No limit is above `limit_body_bytes`. */
export function bodyLimits({
  bodyBytes,
  members,
  bulkHosts,
}: BodySettings): Readonly<Record<BodySize, BodyLimit>> {
  const atMost = (bytes: number) => Math.min(bytes, bodyBytes);
  return {
    small: { bytes: atMost(64 * KIB), values: OTHER_VALUES },
    document: { bytes: atMost(512 * KIB), values: OTHER_VALUES },
    // A replacement of members has two lists.
    addresses: { bytes: bodyBytes, values: 2 * members + OTHER_VALUES },
    hosts: { bytes: bodyBytes, values: bulkHosts * VALUES_OF_HOST + OTHER_VALUES },
  };
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = Buffer.from('"\\,[{]}');

/**
 * Counts levels and values of a JSON text before it is parsed, without the contents of strings, and stops as soon as a limit is exceeded. It reads
 * bytes: in UTF-8, no part of another character equals one of these signs.
 */
export function measureJson(
  json: Buffer,
  limit: { readonly depth: number; readonly values: number },
): { readonly depth: number; readonly values: number } {
  let [depth, deepest, values, isText] = [0, 0, 1, false];
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (deepest > limit.depth || values > limit.values) break;
  }
  return { depth: deepest, values };
}
