import { expect, test } from 'vitest';
import { DASHBOARD_PAGES } from '../../../src/contract/dashboard-pages.ts';
import { PLACES } from './dashboard-pages.ts';

test('every page of the dashboard is visited by the tests that look at all of them', () => {
  const visited = PLACES.map(({ path }) => path.slice(1));
  expect(visited.toSorted()).toEqual(['', ...DASHBOARD_PAGES].toSorted());
});
