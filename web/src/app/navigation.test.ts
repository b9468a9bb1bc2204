import { describe, expect, it } from 'vitest';
import { DASHBOARD_PAGES } from '#contract/dashboard-pages.ts';
import { NAV_GROUPS, PATHS } from './navigation.ts';

const paths = Object.values(PATHS);
const firstSegments = new Set(paths.map(path => path.split('/')[1] ?? '').filter(part => part !== ''));

describe('the pages of the dashboard', () => {
  it('are those for which the service serves it', () => {
    expect([...firstSegments].sort()).toEqual([...DASHBOARD_PAGES].sort());
  });

  it('can be reached from everywhere, each once', () => {
    const targets = NAV_GROUPS.flatMap(group => group.items.map(({ to }) => to));
    // Pages of one thing are reached from its list, one's own account from the menu.
    const expected = paths.filter(path => !path.includes('$') && path !== PATHS.account);
    expect(targets.toSorted()).toEqual(expected.toSorted());
  });
});
