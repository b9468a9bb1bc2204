// Following an operation while the server that was asked goes away and comes back.

import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import type { TimerClock } from '../../src/lib/time/clock.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { createClient } from '../../src/sdk/client.ts';
import { loadConfig } from '../../src/server/configuration/config.ts';
import { startService } from '../../src/server/start-service.ts';
import { asAdmin, hostler } from '../harness/programs/cli.ts';
import { ADMIN_PASSWORD } from '../harness/service.ts';
import { makeCluster, newFleet } from '../harness/simulated-service.ts';
import { makeStorePlace } from '../harness/stores/stores.ts';

const HURRY = 8;
/** Whoever follows waits for less long. */
const hurried: TimerClock = {
  ...systemClock,
  setTimer: (ms, callback) => systemClock.setTimer(ms / HURRY, callback),
};

test('an operation is followed through a restart of the service, and by another address', async () => {
  const fleet = newFleet();
  const place = await makeStorePlace('sqlite');
  onTestFinished(() => place.remove());
  const environment = {
    HOSTLER_DATA: place.folder,
    HOSTLER_STORE: place.location,
    HOSTLER_ADMIN_PASSWORD: ADMIN_PASSWORD,
    HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
    HOSTLER_TRANSPORT: 'none',
  };
  const log = createLog('silent', false);
  const start = (listen: string) =>
    startService(loadConfig({ environment: { ...environment, HOSTLER_LISTEN: listen }, flags: {} }), log, {
      transport: fleet.transport,
    });
  let service = await start('127.0.0.1:0');
  onTestFinished(() => service.stop());
  const { url } = service;
  const client = createClient({ baseUrl: url, user: 'admin', password: ADMIN_PASSWORD });
  await makeCluster({ client }, fleet, 'web', { '127.9.3.1': { bootMs: 3000 } });

  const [rebooting, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const following = hostler('restart web --min-healthy 0 --follow', {
    environment: { ...asAdmin(url), HOSTLER_URL: `http://127.0.0.1:1,${url}` },
    clock: hurried,
    onWrite: text => {
      if (text.includes('rebooting')) rebooting.resolve();
      if (text.includes('no server responds, retrying')) silent.resolve();
    },
  });
  await rebooting.promise;
  await service.stop();
  await silent.promise;
  service = await start(new URL(url).host);
  const { exitCode, stdout, stderr } = await following;
  const told = stdout.split('\n').map(line => line.slice('2026-11-15 12:00:00 UTC  '.length));
  // What happened in between may be over before it is read.
  const after = told.slice(told.indexOf('127.9.3.1 rebooting') + 1, -2);
  expect(after.filter(line => line !== '127.9.3.1 verifying')).toEqual([
    'no server responds, retrying',
    'a server responds again',
    '127.9.3.1 done',
  ]);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\nrestart of web finished in \d+s: 1 of 1 host done\n$/);
});
