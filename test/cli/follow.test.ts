// Follows an operation while the server restarts.

import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import type { TimerClock } from '../../src/lib/time/clock.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { loadConfig } from '../../src/server/configuration/config.ts';
import { startService } from '../../src/server/start-service.ts';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { asAdmin, hostler } from '../harness/programs/cli.ts';
import { createAdminClient, serverSettings } from '../harness/programs/server-process.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { createTestDatabase } from '../harness/stores/stores.ts';

const SPEEDUP = 8;
/** Divides all waiting times of the CLI. */
const fastClock: TimerClock = {
  ...systemClock,
  setTimer: (ms, callback) => systemClock.setTimer(ms / SPEEDUP, callback),
};

test('--follow continues after a server restart and uses another server URL', async () => {
  const fleet = createFleet();
  const database = await createTestDatabase('sqlite');
  onTestFinished(() => database.remove());
  const environment = serverSettings(database, {
    HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
    HOSTLER_TRANSPORT: 'none',
  });
  const log = createLog('silent', false);
  const start = (listen: string) =>
    startService(loadConfig({ environment: { ...environment, HOSTLER_LISTEN: listen }, flags: {} }), log, {
      transport: fleet.transport,
    });
  let service = await start('127.0.0.1:0');
  onTestFinished(() => service.stop());
  const { url } = service;
  const client = createAdminClient(url);
  await createActiveCluster(client, 'web', addHosts(fleet, ['127.9.3.1'], { bootMs: 3000 }));

  const [rebooting, disconnected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const followed = hostler('restart web --min-healthy 0 --follow', {
    environment: { ...asAdmin(url), HOSTLER_URL: `http://127.0.0.1:1,${url}` },
    clock: fastClock,
    onStdout: text => {
      if (text.includes('rebooting')) rebooting.resolve();
      if (text.includes('no server responds, retrying')) disconnected.resolve();
    },
  });
  await rebooting.promise;
  await service.stop();
  await disconnected.promise;
  service = await start(new URL(url).host);
  const { exitCode, stdout, stderr } = await followed;
  const lines = stdout.split('\n').map(line => line.slice('2026-11-15 12:00:00 UTC  '.length));
  // Phases during the outage can be missed.
  const linesAfterReboot = lines.slice(lines.indexOf('host-127-9-3-1 (127.9.3.1) rebooting') + 1, -2);
  expect(linesAfterReboot.filter(line => line !== 'host-127-9-3-1 (127.9.3.1) verifying')).toEqual([
    'no server responds, retrying',
    'a server responds again',
    'host-127-9-3-1 (127.9.3.1) done',
  ]);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\nrestart of web finished in \d+s: 1 of 1 host done\n$/);
});
