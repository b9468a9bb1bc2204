// JSON columns whose keys do not depend on the names of TypeScript fields: a renamed field does not change the store.

import { isRecord } from '../lib/json.ts';

/** The stored key of each field. For a field that holds an object: its key, and the keys within the object. */
export type StoredKeys<Fields> = {
  readonly [Field in keyof Fields]-?:
    | string
    | { readonly key: string; readonly within: StoredKeys<Extract<Fields[Field], object>> };
};

interface KeyMap {
  readonly [field: string]: string | { readonly key: string; readonly within: KeyMap };
}

type Fields = Readonly<Record<string, unknown>>;

function toStored(keys: KeyMap, fields: Fields): Fields {
  const stored: Record<string, unknown> = {};
  for (const [field, entry] of Object.entries(keys)) {
    const value = fields[field];
    if (value === undefined) continue;
    if (typeof entry === 'string') stored[entry] = value;
    else stored[entry.key] = isRecord(value) ? toStored(entry.within, value) : value;
  }
  return stored;
}

function fromStored(keys: KeyMap, stored: Fields): Fields {
  const fields: Record<string, unknown> = {};
  for (const [field, entry] of Object.entries(keys)) {
    const value = stored[typeof entry === 'string' ? entry : entry.key];
    if (value === undefined) continue;
    fields[field] = typeof entry !== 'string' && isRecord(value) ? fromStored(entry.within, value) : value;
  }
  return fields;
}

/** Converts objects to the text of a JSON column and back. Undefined fields are not stored. */
export interface JsonColumn<Content extends object> {
  stringify(content: Content): string;
  parse(text: string): Content;
}

export const jsonColumn = <Content extends object>(keys: StoredKeys<Content>): JsonColumn<Content> => ({
  stringify: content => JSON.stringify(toStored(keys as KeyMap, content as Fields)),
  // The column contains only text that `stringify` wrote.
  parse: text => fromStored(keys as KeyMap, JSON.parse(text)) as Content,
});
