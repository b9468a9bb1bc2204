import { describe, expect, test } from 'vitest';
import { DASHBOARD_PAGES } from '#contract/dashboard-pages.ts';
import { NAV_GROUPS, PATHS } from './navigation.ts';

const paths = Object.values(PATHS);
const firstSegments = new Set(paths.map(path => path.split('/')[1] ?? '').filter(part => part !== ''));

describe('dashboard pages', () => {
  test('are the pages for which the server serves the dashboard', () => {
    expect([...firstSegments].sort()).toEqual([...DASHBOARD_PAGES].sort());
  });

  test('each appear once in the navigation', () => {
    const targets = NAV_GROUPS.flatMap(group => group.items.map(({ to }) => to));
    // Detail pages are reached from their list, and the own account from the account menu.
    const expected = paths.filter(path => !path.includes('$') && path !== PATHS.account);
    expect(targets.toSorted()).toEqual(expected.toSorted());
  });
});
