import type { Page } from 'playwright-core';

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

/** As whom and on what it is looked at. */
export const LOOKS = [
  { name: 'dark', theme: 'dark', viewport: WIDE },
  { name: 'light', theme: 'light', viewport: WIDE },
  { name: 'phone', theme: 'dark', viewport: NARROW },
] as const;

interface Shot {
  readonly name: string;
  readonly path: string | ((page: Page) => Promise<string>);
  /** What is done on the page before. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** All of it, not only what fits the window. */
  readonly isLong?: boolean;
}

/** Asks the service as the page does. */
const ask = (page: Page, method: string, url: string, body?: object): Promise<unknown> =>
  page.evaluate(
    async ([how, where, what]) => {
      const headers = { 'hostler-dashboard': '1', 'content-type': 'application/json' };
      const answer = await fetch(where, { method: how, headers, ...(what !== '' && { body: what }) });
      return answer.json();
    },
    [method, url, body === undefined ? '' : JSON.stringify(body)] as const,
  );

async function operationOf(page: Page, query: string): Promise<string> {
  const found = await ask(page, 'GET', `/api/v0/operations?limit=1&${query}`);
  const [first] = Array.isArray(found) ? found : [];
  return `/operations/${first?.id}`;
}

/** A restart of `compute` that runs for a while; where one runs already, nothing more begins. */
async function runningRestart(page: Page): Promise<string> {
  const policy = { max_unavailable: 4, max_failures: 2, min_healthy_s: 5 };
  await ask(page, 'PUT', '/api/v0/cluster/compute/restart', { policy });
  return `${await operationOf(page, 'cluster=compute')}?host=127.82.0.3`;
}

const openDialog = (button: string) => (page: Page) =>
  page.getByRole('button', { name: button }).first().click();

export const SHOTS: readonly Shot[] = [
  { name: 'operation', path: runningRestart, prepare: page => page.waitForTimeout(6000) },
  { name: 'overview', path: '/' },
  { name: 'hosts', path: '/hosts' },
  { name: 'hosts-failed', path: '/hosts?status=failed' },
  { name: 'host', path: '/hosts/127.81.0.13', isLong: true },
  { name: 'host-failed', path: '/hosts/127.81.0.9', isLong: true },
  { name: 'clusters', path: '/clusters' },
  { name: 'cluster', path: '/clusters/web', isLong: true },
  { name: 'start', path: '/clusters/edge', prepare: openDialog('Start operation') },
  { name: 'operations', path: '/operations' },
  {
    name: 'operation-failed',
    path: async page => `${await operationOf(page, 'cluster=web')}?host=127.81.0.12`,
    isLong: true,
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

/** What the documents show. */
export const DOC_PICTURES = ['overview-dark.png', 'operation-dark.png', 'hosts-light.png'] as const;
