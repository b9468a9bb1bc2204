// Unavailable hosts already use all slots: the texts of the preview and the operation page, and the requests
// of their buttons. The tests rewrite the responses of the server.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PageOptions } from '../harness/browser/browser.ts';
import { describeInBrowser, expectAccessible } from '../harness/browser/browser.ts';
import { Dashboard } from '../harness/browser/dashboard.ts';
import { scrollsHorizontally } from '../harness/browser/dashboard-pages.ts';
import { IS_LONG_RUN } from '../harness/vitest/long-run.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** Tests each case on more screens. */
const ADDRESSES = ['127.96.0.1', '127.96.0.2', '127.96.0.3'];
const PHONE = { viewport: { width: 360, height: 740 } };
const DOWN = {
  ...{ address: '127.96.0.2', hostname: '', reason: 'unreachable', detail: 'connection refused' },
  since: '2026-11-16T12:03:00.000000',
};
const IN_MAINTENANCE = { address: '127.96.0.3', hostname: '', reason: 'maintenance', detail: '', since: null };

const EXHAUSTED =
  'budget_exhausted: 127.96.0.2 (unreachable since 2026-11-16 12:03:00 UTC: connection refused), 127.96.0.3 (in maintenance) use all slots (max_unavailable 1); exclude unhealthy hosts (unhealthy: exclude), raise max_unavailable, or wait for them (wait: true)';

type Json = Record<string, unknown>;

/** Rewrites the JSON responses to requests for matching paths. */
async function rewriteResponses(
  page: Page,
  path: RegExp,
  change: (responseBody: Json, requestBody: Json | null) => Json,
): Promise<void> {
  // Requests can still be running when the test ends.
  onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
  await page.route(path, async route => {
    const response = await route.fetch();
    const requestBody: Json | null = route.request().postDataJSON();
    await route.fulfill({
      response,
      json: response.ok() ? change(await response.json(), requestBody) : undefined,
    });
  });
}

const policyOf = (body: Json | null): Json => Object(body?.['policy']);

/** Two hosts are unavailable unless the policy excludes them or allows enough unavailable hosts. */
function dryRunWithOutages(responseBody: Json, requestBody: Json | null): Json {
  const { dry_run, unhealthy, max_excluded = 1, max_unavailable = 1 } = policyOf(requestBody);
  if (dry_run !== true) return responseBody;
  const isExcluded = unhealthy === 'exclude' && Number(max_excluded) >= 2;
  if (isExcluded || Number(max_unavailable) > 2) return { ...responseBody, would_start: true, blocked_by: [] };
  return { ...responseBody, would_start: false, blocked_by: [DOWN, IN_MAINTENANCE] };
}

describeInBrowser('dashboard with already unavailable hosts', browser => {
  let dashboard: Dashboard;
  let id: string;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    await dashboard.makeCluster('web', Object.fromEntries(ADDRESSES.map(address => [address, {}])));
    id = await dashboard.startOperation('restart', 'web', { max_unavailable: 3 });
    await waitUntil('the restart is finished', async () => (await dashboard.operation(id)).state === 'finished');
  });
  afterAll(() => dashboard.stop());

  async function preview(page: Page) {
    await page.getByRole('button', { name: 'Start operation' }).click();
    const startDialog = page.getByRole('dialog', { name: 'Start operation on web' });
    await startDialog.getByRole('button', { name: 'Preview' }).click();
    await startDialog.getByText('Nothing has started yet').waitFor();
    return startDialog;
  }

  test.each([
    ...(IS_LONG_RUN ? ([['a wide screen in light colours', { colorScheme: 'light' }]] as const) : []),
    ['a phone in dark colours', { colorScheme: 'dark', ...PHONE }],
  ] as const)('the preview lists the blocking hosts and offers solutions on %s', async (_case, options) => {
    const page = await dashboard.open(browser(), '/clusters/web', options);
    await rewriteResponses(page, /\/cluster\/web\/restart$/, dryRunWithOutages);
    const startDialog = await preview(page);

    const blocked = startDialog.getByRole('status').filter({ hasText: 'unavailable; the limit' });
    await blocked
      .getByText('2 hosts are unavailable; the limit is 1. If you start the operation now, it fails immediately.')
      .waitFor();
    const hosts = blocked.getByRole('list', { name: 'Unavailable hosts' }).getByRole('listitem');
    expect(await hosts.allInnerTexts()).toEqual([
      expect.stringMatching(/^127\.96\.0\.2 is unreachable since .*2026.* \(connection refused\)$/),
      '127.96.0.3 is in maintenance',
    ]);
    // The plan below also lists every host.
    expect(await startDialog.getByText(/127\.96\.0\.2 is unreachable/).count()).toBe(1);
    await blocked.getByText('“Max excluded” is raised from 10% (1 host) to 2').waitFor();
    await startDialog.getByRole('button', { name: 'Restart anyway (will fail)' }).waitFor();
    await expectAccessible(page);
    expect(await scrollsHorizontally(page)).toBe(false);

    await blocked.getByRole('button', { name: 'Wait for these hosts' }).click();
    await blocked.getByText('The operation waits up to 10m for them.').waitFor();
    await startDialog.getByRole('button', { name: 'Restart 3 hosts' }).waitFor();
    await blocked.getByRole('button', { name: 'Exclude 2 hosts' }).click();
    await blocked.waitFor({ state: 'hidden' });

    await startDialog.getByRole('button', { name: 'Back' }).click();
    expect(await startDialog.getByLabel('Already unavailable hosts').inputValue()).toBe('exclude');
    expect(await startDialog.getByLabel('Max excluded').inputValue()).toBe('2');
    expect(await startDialog.getByLabel('Wait for unavailable hosts').inputValue()).toBe('true');
  });

  test('the preview can raise max_unavailable', async () => {
    const page = await dashboard.open(browser(), '/clusters/web');
    await rewriteResponses(page, /\/cluster\/web\/restart$/, dryRunWithOutages);
    const startDialog = await preview(page);
    await startDialog.getByRole('button', { name: 'Raise the limit to 3 hosts' }).click();
    await startDialog.getByRole('button', { name: 'Restart 3 hosts' }).waitFor();
    await startDialog.getByRole('button', { name: 'Back' }).click();
    expect(await startDialog.getByLabel('Max unavailable').inputValue()).toBe('3');
  });

  const openRewritten = (fields: Json, options: PageOptions = {}) =>
    dashboard.open(browser(), `/operations/${id}`, {
      ...options,
      prepare: page =>
        rewriteResponses(page, new RegExp(`/operation/${id}(\\?.*)?$`), responseBody => ({
          ...responseBody,
          ...fields,
        })),
    });

  test.each([
    ['a wide screen in dark colours', { colorScheme: 'dark' }],
    ...(IS_LONG_RUN ? ([['a phone in light colours', { colorScheme: 'light', ...PHONE }]] as const) : []),
  ] as const)('a failed operation offers to retry without blocking hosts on %s', async (_case, options) => {
    const page = await openRewritten(
      {
        ...{ state: 'failed', status: 'failed', can: ['retry'], unavailable_hosts: [DOWN, IN_MAINTENANCE] },
        problem: EXHAUSTED,
        budget: { max_unavailable: 1, unavailable: 2, max_failures: 0, failed: 0 },
      },
      options,
    );
    const statePanel = page.getByRole('region', { name: 'Operation state' });
    await statePanel.getByText('budget_exhausted: 2 hosts are unavailable; the limit is 1.').waitFor();
    await statePanel.getByRole('listitem').filter({ hasText: '127.96.0.2 is unreachable since' }).waitFor();
    // No host has failed.
    await statePanel.getByRole('button', { name: 'Retry', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Retry failed hosts' }).count()).toBe(0);
    const budget = page.getByRole('region', { name: 'Budget', exact: true });
    await budget.getByText('0 hosts in flight, 2 other hosts unavailable:').waitFor();
    await budget.getByRole('listitem').filter({ hasText: '127.96.0.3 is in maintenance' }).waitFor();
    await expectAccessible(page);
    expect(await scrollsHorizontally(page)).toBe(false);

    const retryRequest = page.waitForRequest(request => request.url().endsWith(`/operation/${id}/retry`));
    await page.route(/\/retry$/, route => route.fulfill({ status: 200, json: {} }));
    await statePanel.getByRole('button', { name: 'Retry without these hosts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry without these hosts' });
    await dialog.getByText('The unavailable hosts are skipped.').waitFor();
    await dialog.getByRole('button', { name: 'Retry without these hosts' }).click();
    expect((await retryRequest).postDataJSON()).toEqual({ exclude: ['127.96.0.2', '127.96.0.3'] });
    await dialog.waitFor({ state: 'hidden' });
  });

  test('an operation paused by the budget offers to retry without blocking hosts', async () => {
    const paused = { state: 'paused', status: 'in_process', paused_by: 'budget', can: ['retry', 'resume'] };
    const page = await openRewritten({ ...paused, unavailable_hosts: [DOWN], problem: EXHAUSTED });
    const statePanel = page.getByRole('region', { name: 'Operation state' });
    await statePanel.getByText('1 host is unavailable; the limit is').waitFor();
    await statePanel.getByRole('button', { name: 'Retry without these hosts' }).waitFor();
  });

  test('an operation paused by a partition explains Resume and asks for confirmation', async () => {
    const paused = { state: 'paused', status: 'in_process', paused_by: 'partitioned', can: ['resume'] };
    const page = await openRewritten(paused);
    const statePanel = page.getByRole('region', { name: 'Operation state' });
    await statePanel.getByText('It resumes by itself when the hosts respond again.').waitFor();
    const resumeRequest = page.waitForRequest(request => request.url().endsWith(`/operation/${id}/resume`));
    await page.route(/\/resume$/, route => route.fulfill({ status: 200, json: {} }));
    await page.getByRole('button', { name: 'Resume' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resume' });
    await dialog.getByText('hosts that do not respond become unreachable').waitFor();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    expect((await resumeRequest).method()).toBe('PUT');
  });

  test('the panel of an excluded host explains why it was skipped', async () => {
    const page = await dashboard.open(browser(), `/operations/${id}?host=127.96.0.2`, {
      prepare: opened =>
        rewriteResponses(opened, /\/hosts\/127\.96\.0\.2$/, responseBody => ({
          ...{ ...responseBody, state: 'skipped', phase: 'skipped', skip_reason: 'unhealthy' },
        })),
    });
    await page
      .getByRole('complementary', { name: 'Host host-127-96-0-2' })
      .getByText('Skipped: the host was unavailable and was excluded.')
      .waitFor();
  });
});
