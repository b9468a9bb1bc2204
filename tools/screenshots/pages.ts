import type { Page } from 'playwright-core';

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

/** Themes and viewports. */
export const VIEW_MODES = [
  { name: 'dark', theme: 'dark', viewport: WIDE },
  { name: 'light', theme: 'light', viewport: WIDE },
  { name: 'phone', theme: 'dark', viewport: NARROW },
] as const;

interface Screenshot {
  readonly name: string;
  readonly path: string | ((page: Page) => Promise<string>);
  /** Actions before the screenshot. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** The full page, not only the viewport. */
  readonly isFullPage?: boolean;
}

/** Sends an API request like the dashboard. */
const callApi = (page: Page, method: string, url: string, body?: object): Promise<unknown> =>
  page.evaluate(
    async ([httpMethod, path, json]) => {
      const headers = { 'hostler-dashboard': '1', 'content-type': 'application/json' };
      const response = await fetch(path, { method: httpMethod, headers, ...(json !== '' && { body: json }) });
      return response.json();
    },
    [method, url, body === undefined ? '' : JSON.stringify(body)] as const,
  );

async function findOperationPath(page: Page, query: string): Promise<string> {
  const operations = await callApi(page, 'GET', `/api/v0/operations?limit=1&${query}`);
  const [first] = Array.isArray(operations) ? operations : [];
  return `/operations/${first?.id}`;
}

/** Starts a restart of `compute` that takes a while, unless one is already running. */
async function startRestart(page: Page): Promise<string> {
  const policy = { max_unavailable: 4, max_failures: 2, min_healthy_s: 5 };
  await callApi(page, 'PUT', '/api/v0/cluster/compute/restart', { policy });
  return `${await findOperationPath(page, 'cluster=compute')}?host=127.82.0.3`;
}

const openDialog = (button: string) => (page: Page) => page.getByRole('button', { name: button }).first().click();

export const SCREENSHOTS: readonly Screenshot[] = [
  { name: 'operation', path: startRestart, prepare: page => page.waitForTimeout(6000) },
  { name: 'overview', path: '/' },
  { name: 'hosts', path: '/hosts' },
  { name: 'hosts-failed', path: '/hosts?status=failed' },
  { name: 'host', path: '/hosts/127.81.0.13', isFullPage: true },
  { name: 'host-failed', path: '/hosts/127.81.0.9', isFullPage: true },
  { name: 'clusters', path: '/clusters' },
  { name: 'cluster', path: '/clusters/web', isFullPage: true },
  { name: 'start', path: '/clusters/edge', prepare: openDialog('Start operation') },
  { name: 'operations', path: '/operations' },
  {
    name: 'operation-failed',
    path: async page => `${await findOperationPath(page, 'cluster=web')}?host=127.81.0.12`,
    isFullPage: true,
  },
  { name: 'networks', path: '/networks' },
  { name: 'container-managers', path: '/container-managers' },
  { name: 'tokens', path: '/tokens' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'accounts', path: '/accounts' },
  { name: 'account', path: '/account' },
  { name: 'events', path: '/events' },
  { name: 'audit', path: '/audit' },
];

/** The screenshots in the documentation. */
export const DOC_SCREENSHOTS = ['overview-dark.png', 'operation-dark.png', 'hosts-light.png'] as const;
