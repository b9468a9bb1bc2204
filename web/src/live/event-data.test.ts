import { describe, expect, it } from 'vitest';
import { listOf, oneOf, textOf } from './event-data.ts';

const told = (value: unknown) => ({ data: { field: value } });

describe('what events tell is read as', () => {
  it.each<[unknown, string]>([
    ['ok', 'ok'],
    [3, '3'],
    [undefined, ''],
    [null, ''],
    [true, ''],
    [['a'], ''],
  ])('the text of %j: %j', (value, text) => {
    expect(textOf(told(value), 'field')).toBe(text);
  });

  it.each<[unknown, readonly string[]]>([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [['a', 1, null], ['a']],
    ['a', []],
    [undefined, []],
    [{ 0: 'a', length: 1 }, []],
  ])('the list of %j: %j', (value, list) => {
    expect(listOf(told(value), 'field')).toEqual(list);
  });

  it.each<[unknown, string | undefined]>([
    ['ok', 'ok'],
    ['merry', undefined],
    [undefined, undefined],
    [['ok'], undefined],
  ])('the word of %j: %j', (value, word) => {
    expect(oneOf(told(value), 'field', ['ok', 'failed'])).toBe(word);
  });
});
