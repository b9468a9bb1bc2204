// What events tell beside who and when. Each type has fields of its own, and a newer service may have others: nothing in them is taken
// for what it should be without a look.

interface WithData {
  readonly data: Readonly<Record<string, unknown>>;
}

/** A text or a number, as text; empty for all else. */
export function textOf({ data }: WithData, field: string): string {
  const value = data[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The texts of a list. */
export function listOf({ data }: WithData, field: string): readonly string[] {
  const value = data[field];
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
}

/** One of these words; `undefined` for all else. */
export const oneOf = <Word extends string>(
  { data }: WithData,
  field: string,
  words: readonly Word[],
): Word | undefined => words.find(word => word === data[field]);
