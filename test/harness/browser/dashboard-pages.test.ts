import { expect, test } from 'vitest';
import { PAGES } from '../../../src/contract/pages.ts';
import { PLACES } from './dashboard-pages.ts';

test('every page of the dashboard is visited by the tests that look at all of them', () => {
  const visited = PLACES.map(({ path }) => path.slice(1));
  expect(visited.toSorted()).toEqual(['', ...PAGES].toSorted());
});
