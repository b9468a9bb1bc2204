import { describe, expect, test } from 'vitest';
import { etagOf, parseIfMatch } from './conditional.ts';

describe('If-Match', () => {
  test.each<[string, string | undefined, ReturnType<typeof parseIfMatch>]>([
    ['that is missing asks for nothing', undefined, undefined],
    ['with a star takes any record', '*', '*'],
    ['with a star between spaces takes any record', ' * ', '*'],
    ['takes one revision', '"a1"', ['a1']],
    ['takes several', '"a1", "b2","c3"', ['a1', 'b2', 'c3']],
    ['takes a revision with a comma in it', '"a,1"', ['a,1']],
    ['takes a star in quotes as a revision', '"*"', ['*']],
    ['takes the empty revision', '""', ['']],
    ['matches nothing by a weak validator', 'W/"a1"', []],
    ['leaves weak validators out', 'W/"a1", "b2"', ['b2']],
    ['matches nothing without quotes', 'a1', []],
    ['matches nothing when it is empty', '', []],
    ['matches nothing when a quote is missing', '"a1', []],
  ])('%s', (_what, header, expected) => {
    expect(parseIfMatch(header)).toEqual(expected);
  });

  test('takes the ETag that was given', () => {
    expect(parseIfMatch(etagOf('r-1_x'))).toEqual(['r-1_x']);
  });
});
