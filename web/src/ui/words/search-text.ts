/** A text of the address bar; `undefined` where it is empty or something else. */
export function searchText(search: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = search[name];
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The same, if it is one of these words. */
export function searchWord<Word extends string>(
  search: Readonly<Record<string, unknown>>,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = searchText(search, name);
  return words.find(word => word === text);
}
