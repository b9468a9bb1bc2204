import type { Page } from 'playwright-core';
import { PRIVATE_KEY } from '../credentials.ts';
import { waitUntil } from '../wait-until.ts';
import type { Dashboard } from './dashboard.ts';
import { escapeRegExp, hostnameOf } from './dashboard.ts';

export interface DashboardPage {
  readonly path: string;
  /** Start of the heading. */
  readonly title: string;
}

/** Pages that exist without any data. */
export const PAGES: readonly DashboardPage[] = [
  { path: '/', title: 'Overview' },
  { path: '/hosts', title: 'Hosts' },
  { path: '/clusters', title: 'Clusters' },
  { path: '/operations', title: 'Operations' },
  { path: '/networks', title: 'Networks' },
  { path: '/container-managers', title: 'Container managers' },
  { path: '/tokens', title: 'Enrolment tokens' },
  { path: '/webhooks', title: 'Webhooks' },
  { path: '/accounts', title: 'Accounts' },
  { path: '/events', title: 'Events' },
  { path: '/audit', title: 'Audit log' },
  { path: '/account', title: 'Your account' },
];

/** Navigates like a link, without a reload, and waits until all data is loaded. */
export async function navigateTo(page: Page, { path, title }: DashboardPage): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  await page.getByRole('heading', { level: 1, name: new RegExp(`^${escapeRegExp(title)}`) }).waitFor();
  const loading = page.getByRole('status').filter({ hasText: /^Loading / });
  await waitUntil(`${path} is loaded`, async () => (await loading.count()) === 0);
}

export const scrollsHorizontally = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Creates records of every kind and returns all pages that show them. */
export async function createSampleData(dashboard: Dashboard): Promise<readonly DashboardPage[]> {
  const { client } = dashboard.service;
  const [healthy, diskFull, rejecting] = ['127.94.0.1', '127.94.0.2', '127.94.0.3'];
  await dashboard.makeCluster('web', { [healthy]: {}, [diskFull]: { faults: [{ kind: 'disk_full' }] } });
  dashboard.addHost(rejecting, { os: 'debian', faults: [{ kind: 'auth_rejected' }] });
  await client.putHost({ address: rejecting, body: { ssh_priv_key: PRIVATE_KEY } });
  await client.putHostLabels({ address: healthy, body: { ring: 'first', 'example.org/rack': 'r12' } });
  await client.putContainerManager({ name: 'nodes', body: { type: 'trivial', options: {} } });
  await client.putAccount({ name: 'olga', body: { password: 'password of olga', role: 'operator' } });
  await client.putToken({ name: 'rack-12', body: {} });
  await client.putWebhook({ name: 'chat', body: { url: 'http://127.0.0.1:9/hook', secret: 'shared' } });
  const id = await dashboard.startOperation('upgrade', 'web', { reboot: 'never', max_unavailable: 2 });
  await waitUntil('the upgrade has failed', async () => (await dashboard.operation(id)).state === 'failed');
  await client.putHostMaintenance({ address: diskFull, body: { on: true, reason: 'a new disk' } });
  const isRejected = async () => (await client.getHost({ address: rejecting })).body.status === 'failed';
  await waitUntil(`${rejecting} rejects the login`, isRejected);
  return [
    ...PAGES,
    { path: `/hosts/${healthy}`, title: hostnameOf(healthy) },
    { path: `/hosts/${rejecting}`, title: rejecting },
    { path: '/clusters/web', title: 'web' },
    { path: '/operations?status=failed', title: 'Operations' },
    { path: `/operations/${id}?host=${diskFull}`, title: 'Upgrade of web' },
    { path: `/operations/${id}?view=list`, title: 'Upgrade of web' },
    { path: `/operations/${id}?view=timeline`, title: 'Upgrade of web' },
    { path: '/nowhere', title: 'Page not found' },
    { path: '/hosts/127.94.0.99', title: '127.94.0.99' },
    { path: '/clusters/nowhere', title: 'nowhere' },
  ];
}
