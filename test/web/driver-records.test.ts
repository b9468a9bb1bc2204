// Secret options of networks and container managers. The server hides them from a session until the password
// is confirmed.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { confirmPassword, Dashboard, tableRow } from '../harness/browser/dashboard.ts';

const NAME = 'nodes';
const PAGE = `/container-managers?name=${NAME}`;
const TOKEN = 'token-of-the-service-account';
const OPTIONS = { server_url: 'https://127.0.0.1:6443', token: TOKEN };
const NEW_URL = 'https://127.0.0.1:7443';
const KEEPS_TOKEN = /Leave empty to keep the current secret\./;
const CANNOT_KEEP_TOKEN = /You cannot view this secret\. Enter it again to save changes\./;
const EXPLANATION = /^Secret options are hidden because you did not confirm your password\./;

describeInBrowser('container managers page', browser => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  beforeEach(async () => {
    const { client } = dashboard.service;
    await client.removeContainerManager({ name: NAME });
    await client.putContainerManager({ name: NAME, body: { type: 'kubernetes', options: OPTIONS } });
  });
  afterAll(() => dashboard.stop());

  const savedOptions = async () => (await dashboard.service.client.getContainerManager({ name: NAME })).body.options;
  const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm your password' });
  const form = (page: Page) => page.getByRole('dialog', { name: `Edit ${NAME}` });
  const pressEdit = (page: Page) => page.getByRole('button', { name: 'Edit', exact: true }).click();
  const save = (page: Page) =>
    form(page)
      .getByRole('button', { name: `Save ${NAME}` })
      .click();

  test('lists the type of each container manager', async () => {
    const page = await dashboard.open(browser(), '/container-managers');
    const table = page.getByRole('table', { name: 'Container managers' });
    await tableRow(table, NAME, 'kubernetes', 'Not used').waitFor();
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Name', 'Type', 'Used by']);
  });

  test('Edit asks an administrator for the password, and saving keeps the secret', async () => {
    const page = await dashboard.open(browser(), PAGE);
    await pressEdit(page);
    await confirmation(page)
      .getByText(
        'Confirm your password to change accounts or tokens, or to view or change credentials. You are asked again after five minutes.',
      )
      .waitFor();
    expect(await form(page).count()).toBe(0);
    await confirmPassword(page);

    await form(page).getByText(KEEPS_TOKEN).waitFor();
    expect(await form(page).getByText(EXPLANATION).count()).toBe(0);
    await form(page).getByLabel('server_url').fill(NEW_URL);
    await save(page);
    await form(page).waitFor({ state: 'hidden' });
    expect(await savedOptions()).toEqual({ ...OPTIONS, server_url: NEW_URL });
  });

  test('Edit does not ask for the password again while the session is confirmed', async () => {
    const page = await dashboard.open(browser(), PAGE);
    await pressEdit(page);
    await confirmPassword(page);
    await form(page).getByRole('button', { name: 'Cancel' }).click();
    await form(page).waitFor({ state: 'hidden' });

    await pressEdit(page);
    await form(page).getByText(KEEPS_TOKEN).waitFor();
    expect(await confirmation(page).count()).toBe(0);
  });

  test('the form explains what to do when the administrator cancels the confirmation', async () => {
    const page = await dashboard.open(browser(), PAGE);
    await pressEdit(page);
    await confirmation(page).getByRole('button', { name: 'Cancel' }).click();
    await form(page).getByText(EXPLANATION).waitFor();
    await form(page).getByText(CANNOT_KEEP_TOKEN).waitFor();
    await form(page).getByLabel('token').fill('another-token');
    await save(page);
    await form(page).waitFor({ state: 'hidden' });
    expect(await savedOptions()).toEqual({ ...OPTIONS, token: 'another-token' });

    await pressEdit(page);
    await confirmPassword(page);
    await form(page).getByText(KEEPS_TOKEN).waitFor();
  });

  test('the form asks for the password when it reloads a record that was changed concurrently', async () => {
    const { client } = dashboard.service;
    const page = await dashboard.open(browser(), PAGE);
    await pressEdit(page);
    await confirmation(page).getByRole('button', { name: 'Cancel' }).click();
    await form(page).getByLabel('server_url').fill(NEW_URL);
    const { headers } = await client.getContainerManager({ name: NAME });
    await client.putContainerManager({
      name: NAME,
      body: { type: 'kubernetes', options: { ...OPTIONS, join: false } },
      headers: { 'if-match': headers.get('etag') ?? '' },
    });
    await form(page).getByLabel('token').fill(TOKEN);
    await save(page);
    await form(page).getByRole('button', { name: 'Reload' }).click();
    await confirmPassword(page);
    await form(page).getByText(KEEPS_TOKEN).waitFor();
    await save(page);
    await form(page).waitFor({ state: 'hidden' });
    expect(await savedOptions()).toEqual({ ...OPTIONS, server_url: NEW_URL, join: false });
  });

  test('Edit shows the error if reading the record fails', async () => {
    const page = await dashboard.open(browser(), PAGE);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await page.route(`**/api/v0/containermanager/${NAME}`, route =>
      route.fulfill({ status: 404, contentType: 'text/plain', body: 'unknown path' }),
    );
    await pressEdit(page);
    await form(page)
      .getByText(/404 Not Found/)
      .waitFor();
    await page.keyboard.press('Escape');
    await form(page).waitFor({ state: 'hidden' });

    await page.unroute(`**/api/v0/containermanager/${NAME}`);
    await pressEdit(page);
    await confirmPassword(page);
    await form(page).getByText(KEEPS_TOKEN).waitFor();
  });

  test('Edit does not ask an operator for the password', async () => {
    const operator = await dashboard.service.makeAccount('otto', 'operator');
    const page = await dashboard.open(browser(), PAGE, { as: operator });
    await pressEdit(page);
    await form(page).getByText(CANNOT_KEEP_TOKEN).waitFor();
    expect(await confirmation(page).count()).toBe(0);
    expect(await form(page).getByText(EXPLANATION).count()).toBe(0);
  });
});
