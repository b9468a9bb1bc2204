// Reading what a tool says in JSON. A host may say anything: what is not there, or no plain word, is empty.

import type { Ran } from '../../domain/command.ts';
import { textOf } from './answer-text.ts';

/** `undefined` when it is none. Noise before and after is left out. */
export function jsonOf({ stdout }: Ran): unknown {
  const text = textOf(stdout);
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start === -1 || end < start) return undefined;
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined;
  }
}

export const placeIn = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (place, key) =>
      place !== null && typeof place === 'object' && Object.hasOwn(place, key)
        ? Reflect.get(place, key)
        : undefined,
    value,
  );

/** Versions, checksums and image references have no spaces and are not long. */
export const isWord = (text: unknown): text is string =>
  typeof text === 'string' && /^[\x21-\x7e]{1,512}$/.test(text);

export const wordIn = (value: unknown, ...keys: readonly string[]): string => {
  const found = placeIn(value, ...keys);
  return isWord(found) ? found : '';
};
