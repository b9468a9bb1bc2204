// The proxy of `npm run dev:web`.

import { expect, test } from 'vitest';
import { DASHBOARD_PAGES } from '../src/contract/dashboard-pages.ts';
import { routes } from '../src/contract/index.ts';
import { DEV_PROXY } from '../web/vite-dev-proxy.ts';

const isProxied = (url: string) => Object.keys(DEV_PROXY).some(pattern => new RegExp(pattern).test(url));

const OUTSIDE_API = ['/docs', '/healthz', '/metrics', '/openapi.json', '/readyz'];

test('the table lists the routes outside the API', () => {
  const paths = Object.values(routes).map(({ path }) => path);
  expect(paths.filter(path => !path.startsWith('/api/')).sort()).toEqual(OUTSIDE_API);
});

test.each([...OUTSIDE_API, '/docs?x=1', '/api/v0/hosts'])('the development server sends %s to the server', url => {
  expect(isProxied(url)).toBe(true);
});

test.each(['/', '/src/main.tsx', '/@vite/client', '/api.ts', ...DASHBOARD_PAGES.map(page => `/${page}`)])(
  'the development server responds to %s itself',
  url => {
    expect(isProxied(url)).toBe(false);
  },
);
