import { describe, expect, it } from 'vitest';
import { PAGES } from '#contract/pages.ts';
import { PATHS } from './paths.ts';
import { PLACES } from './places.ts';

const paths = Object.values(PATHS);
const firstParts = new Set(paths.map(path => path.split('/')[1] ?? '').filter(part => part !== ''));

describe('the pages of the dashboard', () => {
  it('are those for which the service serves it', () => {
    expect([...firstParts].sort()).toEqual([...PAGES].sort());
  });

  it('can be reached from everywhere, each once', () => {
    const places = PLACES.flatMap(group => group.places.map(({ to }) => to));
    // Pages of one thing are reached from its list, one's own account from the menu.
    const reached = paths.filter(path => !path.includes('$') && path !== PATHS.account);
    expect(places.toSorted()).toEqual(reached.toSorted());
  });
});
