import { describe, expect, it } from 'vitest';
import { getEnum, getText, getTextList } from './event-fields.ts';

const createEvent = (value: unknown) => ({ data: { field: value } });

describe('what events tell is read as', () => {
  it.each<[unknown, string]>([
    ['ok', 'ok'],
    [3, '3'],
    [undefined, ''],
    [null, ''],
    [true, ''],
    [['a'], ''],
  ])('the text of %j: %j', (value, text) => {
    expect(getText(createEvent(value), 'field')).toBe(text);
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
    expect(getTextList(createEvent(value), 'field')).toEqual(list);
  });

  it.each<[unknown, string | undefined]>([
    ['ok', 'ok'],
    ['merry', undefined],
    [undefined, undefined],
    [['ok'], undefined],
  ])('the word of %j: %j', (value, word) => {
    expect(getEnum(createEvent(value), 'field', ['ok', 'failed'])).toBe(word);
  });
});
