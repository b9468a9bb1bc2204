// Hosts that are already down use all slots: what the preview and the page of an operation show, and what their buttons send. The
// answers of the service are changed on their way to the page.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { Dashboard, PATIENT } from '../harness/browser/dashboard.ts';
import { scrollsSideways } from '../harness/browser/dashboard-pages.ts';
import { expectAccessible } from '../harness/browser/expect-accessible.ts';
import { until } from '../harness/until.ts';

/** Each picture on more screens. */
const IS_LONG = Boolean(process.env['HOSTLER_TEST_ALL']);
const ADDRESSES = ['127.96.0.1', '127.96.0.2', '127.96.0.3'];
const PHONE = { viewport: { width: 360, height: 740 } };
const DOWN = {
  ...{ address: '127.96.0.2', reason: 'unreachable', detail: 'connection refused' },
  since: '2026-11-16T12:03:00.000000',
};
const IN_MAINTENANCE = { address: '127.96.0.3', reason: 'maintenance', detail: '', since: null };

const EXHAUSTED =
  'budget_exhausted: 127.96.0.2 (unreachable since 2026-11-16 12:03:00 UTC: connection refused), 127.96.0.3 (in maintenance) use all slots (max_unavailable 1); exclude unhealthy hosts (unhealthy: exclude), raise max_unavailable, or wait for them (wait: true)';

type Json = Record<string, unknown>;

/** Changes the JSON answers to requests for paths that match. */
async function changeAnswers(
  page: Page,
  path: RegExp,
  change: (answer: Json, sent: Json | null) => Json,
): Promise<void> {
  // Requests may still be under way when the test is over.
  onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
  await page.route(path, async route => {
    const response = await route.fetch();
    const sent: Json | null = route.request().postDataJSON();
    await route.fulfill({ response, json: response.ok() ? change(await response.json(), sent) : undefined });
  });
}

const policyOf = (body: Json | null): Json => Object(body?.['policy']);

/** Two hosts are down unless the policy excludes them, or allows them to be. */
function dryRunWithOutages(answer: Json, sent: Json | null): Json {
  const { dry_run, unhealthy, max_excluded = 1, max_unavailable = 1 } = policyOf(sent);
  if (dry_run !== true) return answer;
  const isExcluded = unhealthy === 'exclude' && Number(max_excluded) >= 2;
  if (isExcluded || Number(max_unavailable) > 2) return { ...answer, would_start: true, blocked_by: [] };
  return { ...answer, would_start: false, blocked_by: [DOWN, IN_MAINTENANCE] };
}

describeInBrowser('the dashboard, with hosts that are already down', browser => {
  let dashboard: Dashboard;
  let id: string;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    await dashboard.makeCluster('web', Object.fromEntries(ADDRESSES.map(address => [address, {}])));
    id = await dashboard.begin('restart', 'web', { max_unavailable: 3 });
    await until('the restart is over', async () => (await dashboard.operation(id)).state === 'finished');
  });
  afterAll(() => dashboard.stop());

  async function preview(page: Page) {
    await page.getByRole('button', { name: 'Start operation' }).click();
    const starting = page.getByRole('dialog', { name: 'Start operation on web' });
    await starting.getByRole('button', { name: 'Preview' }).click();
    await starting.getByText('Nothing has started yet').waitFor();
    return starting;
  }

  test.each([
    ...(IS_LONG ? ([['a wide screen in light colours', { colorScheme: 'light' }]] as const) : []),
    ['a phone in dark colours', { colorScheme: 'dark', ...PHONE }],
  ] as const)(
    'the preview names blocking hosts and offers ways out on %s',
    PATIENT,
    async (_what, options) => {
      const page = await dashboard.open(browser(), '/clusters/web', options);
      await changeAnswers(page, /\/cluster\/web\/restart$/, dryRunWithOutages);
      const starting = await preview(page);

      const blocked = starting.getByRole('status').filter({ hasText: 'unavailable; the limit' });
      await blocked
        .getByText(
          '2 hosts are unavailable; the limit is 1. If you start the operation now, it fails immediately.',
        )
        .waitFor();
      const hosts = blocked.getByRole('list', { name: 'Unavailable hosts' }).getByRole('listitem');
      expect(await hosts.allInnerTexts()).toEqual([
        expect.stringMatching(/^127\.96\.0\.2 is unreachable since .*2026.* \(connection refused\)$/),
        '127.96.0.3 is in maintenance',
      ]);
      // The plan below lists every host, too.
      expect(await starting.getByText(/127\.96\.0\.2 is unreachable/).count()).toBe(1);
      await blocked.getByText('“Max excluded” is raised from 10% (1 host) to 2').waitFor();
      await starting.getByRole('button', { name: 'Restart anyway (will fail)' }).waitFor();
      await expectAccessible(page);
      expect(await scrollsSideways(page)).toBe(false);

      await blocked.getByRole('button', { name: 'Wait for these hosts' }).click();
      await blocked.getByText('The operation waits up to 10m for them.').waitFor();
      await starting.getByRole('button', { name: 'Restart 3 hosts' }).waitFor();
      await blocked.getByRole('button', { name: 'Exclude 2 hosts' }).click();
      await blocked.waitFor({ state: 'hidden' });

      await starting.getByRole('button', { name: 'Back' }).click();
      await starting.getByText('Policy', { exact: true }).click();
      expect(await starting.getByLabel('Already unavailable hosts').inputValue()).toBe('exclude');
      expect(await starting.getByLabel('Max excluded').inputValue()).toBe('2');
      expect(await starting.getByLabel('Wait for unavailable hosts').inputValue()).toBe('true');
    },
  );

  test('the preview raises max_unavailable', PATIENT, async () => {
    const page = await dashboard.open(browser(), '/clusters/web');
    await changeAnswers(page, /\/cluster\/web\/restart$/, dryRunWithOutages);
    const starting = await preview(page);
    await starting.getByRole('button', { name: 'Raise the limit to 3 hosts' }).click();
    await starting.getByRole('button', { name: 'Restart 3 hosts' }).waitFor();
    await starting.getByRole('button', { name: 'Back' }).click();
    await starting.getByText('Policy', { exact: true }).click();
    expect(await starting.getByLabel('Max unavailable').inputValue()).toBe('3');
  });

  const openChanged = async (fields: Json, options = {}) => {
    const page = await dashboard.open(browser(), '/', options);
    await changeAnswers(page, new RegExp(`/operation/${id}(\\?.*)?$`), answer => ({ ...answer, ...fields }));
    await page.goto(`${dashboard.service.url}/operations/${id}`);
    return page;
  };

  test.each([
    ['a wide screen in dark colours', { colorScheme: 'dark' }],
    ...(IS_LONG ? ([['a phone in light colours', { colorScheme: 'light', ...PHONE }]] as const) : []),
  ] as const)(
    'a failed operation offers to retry without blocking hosts on %s',
    PATIENT,
    async (_what, options) => {
      const page = await openChanged(
        {
          ...{ state: 'failed', status: 'failed', can: ['retry'], unavailable_hosts: [DOWN, IN_MAINTENANCE] },
          problem: EXHAUSTED,
          budget: { max_unavailable: 1, unavailable: 2, max_failures: 0, failed: 0 },
        },
        options,
      );
      const standing = page.getByRole('region', { name: 'Operation state' });
      await standing.getByText('budget_exhausted: 2 hosts are unavailable; the limit is 1.').waitFor();
      await standing.getByRole('listitem').filter({ hasText: '127.96.0.2 is unreachable since' }).waitFor();
      // No host has failed.
      await standing.getByRole('button', { name: 'Retry', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Retry failed hosts' }).count()).toBe(0);
      const budget = page.getByRole('region', { name: 'Budget', exact: true });
      await budget.getByText('0 hosts in flight, 2 other hosts unavailable:').waitFor();
      await budget.getByRole('listitem').filter({ hasText: '127.96.0.3 is in maintenance' }).waitFor();
      await expectAccessible(page);
      expect(await scrollsSideways(page)).toBe(false);

      const retried = page.waitForRequest(request => request.url().endsWith(`/operation/${id}/retry`));
      await page.route(/\/retry$/, route => route.fulfill({ status: 200, json: {} }));
      await standing.getByRole('button', { name: 'Retry without these hosts' }).click();
      const dialog = page.getByRole('dialog', { name: 'Retry without these hosts' });
      await dialog.getByText('The unavailable hosts are skipped.').waitFor();
      await dialog.getByRole('button', { name: 'Retry without these hosts' }).click();
      expect((await retried).postDataJSON()).toEqual({ exclude: ['127.96.0.2', '127.96.0.3'] });
      await dialog.waitFor({ state: 'hidden' });
    },
  );

  test('an operation that is paused by the budget offers the same', PATIENT, async () => {
    const paused = { state: 'paused', status: 'in_process', paused_by: 'budget', can: ['retry', 'resume'] };
    const page = await openChanged({ ...paused, unavailable_hosts: [DOWN], problem: EXHAUSTED });
    const standing = page.getByRole('region', { name: 'Operation state' });
    await standing.getByText('1 host is unavailable; the limit is').waitFor();
    await standing.getByRole('button', { name: 'Retry without these hosts' }).waitFor();
  });

  test(
    'an operation that is paused by a partition explains what Resume does and asks first',
    PATIENT,
    async () => {
      const paused = { state: 'paused', status: 'in_process', paused_by: 'partitioned', can: ['resume'] };
      const page = await openChanged(paused);
      const standing = page.getByRole('region', { name: 'Operation state' });
      await standing.getByText('It resumes by itself when the hosts respond again.').waitFor();
      const resumed = page.waitForRequest(request => request.url().endsWith(`/operation/${id}/resume`));
      await page.route(/\/resume$/, route => route.fulfill({ status: 200, json: {} }));
      await page.getByRole('button', { name: 'Resume' }).click();
      const dialog = page.getByRole('dialog', { name: 'Resume' });
      await dialog.getByText('hosts that do not respond become unreachable').waitFor();
      await dialog.getByRole('button', { name: 'Resume' }).click();
      expect((await resumed).method()).toBe('PUT');
    },
  );

  test('the page of an excluded host explains why it was skipped', PATIENT, async () => {
    const page = await dashboard.open(browser(), '/');
    await changeAnswers(page, /\/hosts\/127\.96\.0\.2$/, answer => ({
      ...{ ...answer, state: 'skipped', phase: 'skipped', skip_reason: 'unhealthy' },
    }));
    await page.goto(`${dashboard.service.url}/operations/${id}?host=127.96.0.2`);
    await page
      .getByRole('complementary', { name: 'Host 127.96.0.2' })
      .getByText('Skipped: the host was unavailable and was excluded.')
      .waitFor();
  });
});
