import type { Page } from 'playwright-core';
import { PRIVATE_KEY } from '../keys.ts';
import { until } from '../until.ts';
import type { Dashboard } from './dashboard.ts';
import { escaped } from './dashboard.ts';

export interface Place {
  readonly path: string;
  /** What its heading begins with. */
  readonly title: string;
}

/** Every page that there is without any data. */
export const PLACES: readonly Place[] = [
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

/** Goes there as a link does, without loading the dashboard anew, and waits until everything is read. */
export async function visit(page: Page, { path, title }: Place): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  await page.getByRole('heading', { level: 1, name: new RegExp(`^${escaped(title)}`) }).waitFor();
  const reading = page.getByRole('status').filter({ hasText: /^Loading / });
  await until(`all of ${path} is read`, async () => (await reading.count()) === 0);
}

/** Whether there is more to the right than is seen. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Something of everything; answers every page that shows it. */
export async function furnish(dashboard: Dashboard): Promise<readonly Place[]> {
  const { client } = dashboard.service;
  const [good, full, locked] = ['127.94.0.1', '127.94.0.2', '127.94.0.3'];
  await dashboard.makeCluster('web', { [good]: {}, [full]: { faults: [{ kind: 'disk_full' }] } });
  dashboard.add(locked, { os: 'debian', faults: [{ kind: 'auth_rejected' }] });
  await client.putHost({ address: locked, body: { ssh_priv_key: PRIVATE_KEY } });
  await client.putHostLabels({ address: good, body: { ring: 'first', 'example.org/rack': 'r12' } });
  await client.putContainerManager({ name: 'nodes', body: { type: 'trivial', options: {} } });
  await client.putAccount({ name: 'olga', body: { password: 'password of olga', role: 'operator' } });
  await client.putToken({ name: 'rack-12', body: {} });
  await client.putWebhook({ name: 'chat', body: { url: 'http://127.0.0.1:9/hook', secret: 'shared' } });
  const id = await dashboard.begin('upgrade', 'web', { reboot: 'never', max_unavailable: 2 });
  await until('the upgrade is over', async () => (await dashboard.operation(id)).state === 'failed');
  await client.putHostMaintenance({ address: full, body: { on: true, reason: 'a new disk' } });
  const isRefused = async () => (await client.getHost({ address: locked })).body.status === 'failed';
  await until(`${locked} lets nobody in`, isRefused);
  return [
    ...PLACES,
    { path: `/hosts/${good}`, title: good },
    { path: `/hosts/${locked}`, title: locked },
    { path: '/clusters/web', title: 'web' },
    { path: '/operations?status=failed', title: 'Operations' },
    { path: `/operations/${id}?host=${full}`, title: 'Upgrade of web' },
    { path: `/operations/${id}?view=list`, title: 'Upgrade of web' },
    { path: `/operations/${id}?view=timeline`, title: 'Upgrade of web' },
    { path: '/nowhere', title: 'Page not found' },
    { path: '/hosts/127.94.0.99', title: '127.94.0.99' },
    { path: '/clusters/nowhere', title: 'nowhere' },
  ];
}
