import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { UniqueNames } from './unique-names.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

function toUniqueNames(texts: readonly string[], prefix = 'x_'): readonly string[] {
  const names = new UniqueNames(prefix);
  for (const text of texts) names.add(text);
  return texts.map(text => names.get(text));
}

describe('UniqueNames', () => {
  test.each([
    ['web', 'x_web'],
    ['Web_1', 'x_Web_1'],
    ['web-1', 'x_web_1'],
    ['1', 'x_1'],
    ['example.com/role=db', 'x_example_com_role_db'],
    ['a--b', 'x_a__b'],
  ])('maps %s to %s', (text, name) => {
    expect(toUniqueNames([text])).toEqual([name]);
  });

  test.each([
    ['two texts with the same plain name', ['a-b', 'a_b'], [`x_a_b_${hash('a-b')}`, `x_a_b_${hash('a_b')}`]],
    [
      'three such texts and another one',
      ['a=b.c', 'a-b', 'a.b=c', 'a=b-c'],
      [`x_a_b_c_${hash('a=b.c')}`, 'x_a_b', `x_a_b_c_${hash('a.b=c')}`, `x_a_b_c_${hash('a=b-c')}`],
    ],
    ['texts that differ in case', ['A-b', 'a-b'], ['x_A_b', 'x_a_b']],
    [
      'a text that equals the hashed name of another',
      ['a-b', 'a_b', `a_b_${hash('a-b')}`],
      [`x_a_b_${hash('a-b 1')}`, `x_a_b_${hash('a_b 1')}`, `x_a_b_${hash('a-b')}`],
    ],
  ])('gives distinct names, in any order, to %s', (_case, texts, names) => {
    expect(toUniqueNames(texts)).toEqual(names);
    expect(toUniqueNames(texts.toReversed())).toEqual(names.toReversed());
  });

  test('does not give the name of another text to a text that was not added', () => {
    const names = new UniqueNames('x_');
    names.add('a_b');
    expect([names.get('a-b'), names.get('a_b'), names.get('c')]).toEqual([`x_a_b_${hash('a-b')}`, 'x_a_b', 'x_c']);
  });
});
