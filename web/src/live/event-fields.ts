// What events tell beside who and when. Each type has fields of its own, and a newer service may have others: nothing in them is taken
// for what it should be without a look.

interface EventWithData {
  readonly data: Readonly<Record<string, unknown>>;
}

/** A text or a number, as text; empty for all else. */
export function getText({ data }: EventWithData, field: string): string {
  const value = data[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The texts of a list. */
export function getTextList({ data }: EventWithData, field: string): readonly string[] {
  const value = data[field];
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}

/** One of these words; `undefined` for all else. */
export const getEnum = <Value extends string>(
  { data }: EventWithData,
  field: string,
  values: readonly Value[],
): Value | undefined => values.find(candidate => candidate === data[field]);
