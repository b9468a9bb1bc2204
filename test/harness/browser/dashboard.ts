// The dashboard as people have it: the service in this process, pretend hosts that boot in a moment, and a page of a real browser. What
// must hold: nothing is mocked between the page and the hosts; a page is asked as people ask it, by roles and by labels.

import type { Locator, Page } from 'playwright-core';
import type { Static } from 'typebox';
import type { PolicyInput } from '../../../src/contract/policy.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { systemClock } from '../../../src/lib/time/clock.ts';
import { SIMULATORS } from '../../../src/simulator/index.ts';
import { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { SimulatedHost } from '../../../src/simulator/simulated-host.ts';
import type { SimulatedHostSpec } from '../../../src/simulator/simulation-context.ts';
import { buildWeb } from '../../../tools/build/web.js';
import { PRIVATE_KEY } from '../keys.ts';
import { PROJECT } from '../programs/process.ts';
import type { TestService } from '../service.ts';
import { ADMIN_PASSWORD, startTestService } from '../service.ts';
import { until } from '../until.ts';
import type { PageOptions, TestBrowser } from './browser.ts';
import { Talk } from './dashboard-talk.ts';

const TIMES = { connectMs: 0, commandMs: 5, rebootDelayMs: 20, bootMs: 300 };
/** Hosts are healthy as soon as they answer. */
const QUICK = { min_healthy_s: 0 };
/** Webhooks lead to this machine, if anywhere. */
const SETTINGS = { HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true' };
/** Less than a test has, so that it is told what was waited for. */
const DEADLINE_MS = 20_000;

/** For tests with many steps, on a machine that has much else to do. */
export const PATIENT = { timeout: 60_000 };

export interface OpenOptions extends PageOptions {
  /** `user:password`; default: the admin's. */
  readonly as?: string;
}

/** Fills in the form, wherever it stands. */
export async function signIn(page: Page, user: string, password: string): Promise<void> {
  await page.getByLabel('Account', { exact: true }).fill(user);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Answers the question for the password that some changes begin with. */
export async function confirmPassword(page: Page, password: string = ADMIN_PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

/** A page of somebody who is not signed in yet. */
export async function openPage(browser: TestBrowser, url: string, options: PageOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.context().setDefaultTimeout(DEADLINE_MS);
  await page.goto(url);
  return page;
}

/** The sign in the header that tells how the stream of events is. */
export const pill = (page: Page, word: 'Live' | 'Disconnected'): Locator =>
  page.getByRole('banner').getByText(word, { exact: true });

/** As it is, in an expression. */
export const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The row of a table in which these words stand, in this order. */
export const row = (table: Locator, ...words: readonly string[]): Locator =>
  table.getByRole('row', { name: new RegExp(words.map(word => `(^| )${escaped(word)}(?= |$)`).join('.*')) });

/** A host in the grid of an operation's page. */
export const cell = (page: Page, address: string, state: string): Locator =>
  page.getByRole('gridcell', { name: new RegExp(`^${escaped(address)}, ${state},`) });

export class Dashboard {
  readonly service: TestService;
  readonly fleet: SimulatedFleet;
  readonly talk: Talk;

  private constructor(service: TestService, fleet: SimulatedFleet, talk: Talk) {
    this.service = service;
    this.fleet = fleet;
    this.talk = talk;
  }

  static async start(): Promise<Dashboard> {
    const talk = new Talk();
    const fleet = new SimulatedFleet({
      clock: systemClock,
      simulators: { ...SIMULATORS, common: [talk, ...SIMULATORS.common] },
      latencies: TIMES,
    });
    const dashboardFolder = await buildWeb(PROJECT);
    const service = await startTestService('sqlite', SETTINGS, {
      transport: fleet.transport,
      dashboardFolder,
    });
    return new Dashboard(service, fleet, talk);
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  host(address: string): SimulatedHost {
    return this.fleet.host(address as Address);
  }

  /** A pretend host that the service does not know yet. */
  add(address: string, spec: SimulatedHostSpec): SimulatedHost {
    return this.fleet.add(address as Address, spec);
  }

  /** A cluster of hosts that are active. */
  async makeCluster(
    name: string,
    hosts: Readonly<Record<string, Partial<SimulatedHostSpec>>>,
  ): Promise<void> {
    const { client } = this.service;
    await client.putCluster({ name, body: { network: 'default' } });
    await client.putClusterPolicy({ name, body: QUICK });
    const addresses = Object.keys(hosts);
    for (const [address, spec] of Object.entries(hosts))
      this.add(address, Object.assign(spec, { os: spec.os ?? 'debian' }));
    const access = { ssh_priv_key: PRIVATE_KEY, cluster: name };
    await client.enrolHosts({ body: { hosts: addresses.map(address => ({ address, ...access })) } });
    await until(`all of ${name} are active`, async () => {
      const { hosts: members } = (await client.getCluster({ name })).body;
      return members.available === addresses.length;
    });
  }

  /** Begins an operation; answers its number. */
  async begin(
    kind: 'restart' | 'upgrade',
    name: string,
    policy: Static<typeof PolicyInput> = {},
  ): Promise<string> {
    const { client } = this.service;
    const asked = { name, body: { policy } };
    const { headers } = await (kind === 'restart' ? client.putRestart(asked) : client.putUpgrade(asked));
    return headers.get('location')?.split('/').at(-1) ?? '';
  }

  async operation(id: string) {
    return (await this.service.client.getOperation({ id })).body;
  }

  /** A page at this path, of somebody who is signed in. */
  async open(browser: TestBrowser, path: string, { as, ...options }: OpenOptions = {}): Promise<Page> {
    const page = await openPage(browser, this.service.url + path, options);
    const [user = '', ...password] = (as ?? `admin:${ADMIN_PASSWORD}`).split(':');
    await signIn(page, user, password.join(':'));
    await pill(page, 'Live').waitFor();
    return page;
  }
}
