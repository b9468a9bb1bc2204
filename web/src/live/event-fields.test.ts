import { describe, expect, test } from 'vitest';
import { getEnum, getText, getTextList } from './event-fields.ts';

const createEvent = (value: unknown) => ({ data: { reason: value } });

describe('event fields', () => {
  test.each<[unknown, string]>([
    ['ok', 'ok'],
    [3, '3'],
    [undefined, ''],
    [null, ''],
    [true, ''],
    [['a'], ''],
  ])('getText of %j returns %j', (value, text) => {
    expect(getText(createEvent(value), 'reason')).toBe(text);
  });

  test.each<[unknown, readonly string[]]>([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [['a', 1, null], ['a']],
    ['a', []],
    [undefined, []],
    [{ 0: 'a', length: 1 }, []],
  ])('getTextList of %j returns %j', (value, list) => {
    expect(getTextList(createEvent(value), 'reason')).toEqual(list);
  });

  test.each<[unknown, string | undefined]>([
    ['ok', 'ok'],
    ['nonsense', undefined],
    [undefined, undefined],
    [['ok'], undefined],
  ])('getEnum of %j returns %j', (value, expected) => {
    expect(getEnum(createEvent(value), 'reason', ['ok', 'failed'])).toBe(expected);
  });
});
