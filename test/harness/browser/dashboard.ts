// The server in this process, simulated hosts that boot in 300 ms, and a page of a real browser. Nothing
// between the page and the hosts is mocked. Tests find elements by role and label.

import type { Locator, Page } from 'playwright-core';
import type { Static } from 'typebox';
import type { PolicyInput } from '../../../src/contract/policy.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { getOperationId } from '../../../src/sdk/response-headers.ts';
import { SIMULATORS } from '../../../src/simulator/index.ts';
import type { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { SimulatedHost } from '../../../src/simulator/simulated-host.ts';
import type { SimulatedHostSpec } from '../../../src/simulator/simulation-context.ts';
import { buildWeb } from '../../../tools/build/web.js';
import { createActiveCluster } from '../active-cluster.ts';
import { ADMIN_PASSWORD } from '../credentials.ts';
import { PROJECT } from '../programs/process.ts';
import type { TestService } from '../service.ts';
import { startTestService } from '../service.ts';
import { signIn as createSession } from '../session-fixtures.ts';
import { addHosts, createFleet } from '../simulated-fleet.ts';
import type { PageOptions, TestBrowser } from './browser.ts';
import { ScriptedOutput } from './scripted-output.ts';

const LATENCIES = { connectMs: 0, commandMs: 5, rebootDelayMs: 20, bootMs: 300 };
/** `name.example.com` is the host with the hostname `name`. */
const EXAMPLE_DOMAIN = '.example.com';

/** Hosts are healthy as soon as they respond. */
const QUICK_POLICY = { min_healthy_s: 0 };
/** Webhooks of the tests use loopback addresses. */
const SETTINGS = { HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true' };
/** Shorter than the test timeout, so that the error names the missing element. */
const DEADLINE_MS = 20_000;

export interface OpenOptions extends PageOptions {
  /** `user:password`. Default: the admin account. */
  readonly as?: string;
  /** Runs before the page loads, for example to route its requests. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Fills in the sign-in form. */
export async function signIn(page: Page, user: string, password: string): Promise<void> {
  await page.getByLabel('Account', { exact: true }).fill(user);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function confirmPassword(page: Page, password: string = ADMIN_PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

async function newPage(browser: TestBrowser, options: PageOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.context().setDefaultTimeout(DEADLINE_MS);
  return page;
}

/** A page without a session. */
export async function openPage(browser: TestBrowser, url: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(browser, options);
  await page.goto(url);
  return page;
}

/** The connection status in the header. */
export const connectionStatus = (page: Page, state: 'Live' | 'Disconnected'): Locator =>
  page.getByRole('banner').getByText(state, { exact: true });

export const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The table row that contains these texts in this order. */
export const tableRow = (table: Locator, ...texts: readonly string[]): Locator =>
  table.getByRole('row', {
    name: new RegExp(texts.map(text => `(^| )${escapeRegExp(text)}(?= |$)`).join('.*')),
  });

/** The default hostname of a simulated host. */
export const hostnameOf = (address: string): string => `host-${address.replaceAll('.', '-')}`;

export const hostCell = (page: Page, name: string, state: string): Locator =>
  page.getByRole('gridcell', { name: new RegExp(`^${escapeRegExp(name)}, ${state},`) });

export class Dashboard {
  readonly service: TestService;
  readonly fleet: SimulatedFleet;
  readonly scriptedOutput: ScriptedOutput;

  private constructor(service: TestService, fleet: SimulatedFleet, scriptedOutput: ScriptedOutput) {
    this.service = service;
    this.fleet = fleet;
    this.scriptedOutput = scriptedOutput;
  }

  static async start(): Promise<Dashboard> {
    const scriptedOutput = new ScriptedOutput();
    const fleet = createFleet({
      simulators: { ...SIMULATORS, common: [scriptedOutput, ...SIMULATORS.common] },
      latencies: LATENCIES,
    });
    const dashboardFolder = await buildWeb(PROJECT);
    const service = await startTestService('sqlite', SETTINGS, {
      transport: fleet.transport,
      dashboardFolder,
      lookup: async name => {
        const isNamed = ({ machine }: SimulatedHost) => `${machine.hostname}${EXAMPLE_DOMAIN}` === name;
        return [...fleet.hosts].filter(isNamed).map(({ address }) => address);
      },
    });
    return new Dashboard(service, fleet, scriptedOutput);
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  host(address: string): SimulatedHost {
    return this.fleet.host(address as Address);
  }

  /** Adds a simulated host without enrolling it. */
  addHost(address: string, spec: SimulatedHostSpec): SimulatedHost {
    return this.fleet.add(address as Address, spec);
  }

  /** Creates a cluster and waits until its hosts are active. */
  async makeCluster(name: string, hosts: Readonly<Record<string, Partial<SimulatedHostSpec>>>): Promise<void> {
    const { client } = this.service;
    const added = Object.entries(hosts).flatMap(([address, spec]) => addHosts(this.fleet, [address], spec));
    await createActiveCluster(client, name, added);
    await client.putClusterPolicy({ name, body: QUICK_POLICY });
  }

  /** Returns the ID of the operation. */
  async startOperation(
    kind: 'restart' | 'upgrade',
    name: string,
    policy: Static<typeof PolicyInput> = {},
  ): Promise<string> {
    const { client } = this.service;
    const request = { name, body: { policy } };
    return getOperationId(await (kind === 'restart' ? client.putRestart(request) : client.putUpgrade(request)));
  }

  async operation(id: string) {
    return (await this.service.client.getOperation({ id })).body;
  }

  /**
   * Opens a page with a new session. The session is created without the sign-in form, so that the page loads only once.
   */
  async open(browser: TestBrowser, path: string, { as, prepare, ...options }: OpenOptions = {}): Promise<Page> {
    const page = await newPage(browser, options);
    const { cookie } = await createSession(this.service, as);
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url: this.service.url, httpOnly: true, sameSite: 'Strict' }]);
    await prepare?.(page);
    await page.goto(this.service.url + path);
    await connectionStatus(page, 'Live').waitFor();
    return page;
  }
}
