import { expect, test } from 'vitest';
import { DASHBOARD_PAGES } from '../../../src/contract/dashboard-pages.ts';
import { PAGES } from './dashboard-pages.ts';

test('PAGES contains every page of the dashboard', () => {
  const visited = PAGES.map(({ path }) => path.slice(1));
  expect(visited.toSorted()).toEqual(['', ...DASHBOARD_PAGES].toSorted());
});
