import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { UniqueNames } from './unique-names.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

function toUniqueNames(texts: readonly string[], prefix = 'x_'): readonly string[] {
  const names = new UniqueNames(prefix);
  for (const text of texts) names.add(text);
  return texts.map(text => names.get(text));
}

describe('unique names', () => {
  test.each([
    ['web', 'x_web'],
    ['Web_1', 'x_Web_1'],
    ['web-1', 'x_web_1'],
    ['1', 'x_1'],
    ['example.com/role=db', 'x_example_com_role_db'],
    ['a--b', 'x_a__b'],
  ])('%s alone becomes %s', (text, name) => {
    expect(toUniqueNames([text])).toEqual([name]);
  });

  test.each([
    ['two that become the same', ['a-b', 'a_b'], [`x_a_b_${hash('a-b')}`, `x_a_b_${hash('a_b')}`]],
    [
      'three of them, and one that does not',
      ['a=b.c', 'a-b', 'a.b=c', 'a=b-c'],
      [`x_a_b_c_${hash('a=b.c')}`, 'x_a_b', `x_a_b_c_${hash('a.b=c')}`, `x_a_b_c_${hash('a=b-c')}`],
    ],
    ['capital letters, which are others', ['A-b', 'a-b'], ['x_A_b', 'x_a_b']],
    [
      'one that is called as another would be with its hash',
      ['a-b', 'a_b', `a_b_${hash('a-b')}`],
      [`x_a_b_${hash('a-b 1')}`, `x_a_b_${hash('a_b 1')}`, `x_a_b_${hash('a-b')}`],
    ],
  ])('%s have names of their own, in any order', (_what, texts, names) => {
    expect(toUniqueNames(texts)).toEqual(names);
    expect(toUniqueNames(texts.toReversed())).toEqual(names.toReversed());
  });

  test('a text that nobody has added takes the name of no other', () => {
    const names = new UniqueNames('x_');
    names.add('a_b');
    expect([names.get('a-b'), names.get('a_b'), names.get('c')]).toEqual([
      `x_a_b_${hash('a-b')}`,
      'x_a_b',
      'x_c',
    ]);
  });
});
