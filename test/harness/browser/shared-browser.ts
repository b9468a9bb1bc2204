// One Chromium for all browser tests of a run. Each test uses its own context.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM } from '../../../tools/setup/system-packages.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket URL of the browser; empty if Chromium is not installed. */
    browserUrl: string;
  }
}

/**
 * Nothing listens on this port. The proxy sends all requests to other machines here, so that no name is
 * resolved.
 */
const UNUSED_ADDRESS = 'http://127.0.0.1:9';

const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!existsSync(CHROMIUM)) {
    project.provide('browserUrl', '');
    return undefined;
  }
  const proxy = { server: UNUSED_ADDRESS, bypass: '127.0.0.1' };
  const browser = await chromium.launchServer({ executablePath: CHROMIUM, args: ARGS, proxy });
  project.provide('browserUrl', browser.wsEndpoint());
  return () => browser.close();
}
