// Documents for whoever has hosts: a real one is enrolled, logged in to and restarted.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'vitest';
import { readThrough } from '../harness/documents/read-through.ts';
import type { ServedPlace } from '../harness/documents/served-place.ts';
import { makeServedPlace, READERS_PASSWORD } from '../harness/documents/served-place.ts';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/hosts/light-host.ts';
import { loginKey } from '../harness/hosts/login-key.ts';
import { startLightHost } from '../harness/hosts/start-light-host.ts';
import { PROJECT } from '../harness/programs/process.ts';

/** Commissaire's own client where somebody has it, else a stand-in that sends what it sends. */
const COMMCTL =
  process.env['HOSTLER_COMMCTL'] ??
  `'${process.execPath}' '${path.join(PROJECT, 'test/harness/commctl/stand-in.ts')}'`;

/** The first on a machine builds what hosts are made of. */
const TEST_MS = 600_000;

describeOnRealHosts('what a document about hosts gives to type works', () => {
  let [served, host]: [ServedPlace?, LightHost?] = [];
  beforeEach(async () => {
    served = await makeServedPlace();
    host = await startLightHost({ identity: 'debian', port: 22 });
  }, TEST_MS);
  afterEach(async () => {
    await served?.leave();
    await host?.stop();
  });

  const there = () => {
    if (served === undefined || host === undefined) throw new Error('it was not started');
    return { served, host, inPlace: (name: string) => path.join(served?.place.checkout ?? '', name) };
  };

  test('enrolling hosts and logging in', { timeout: TEST_MS }, async () => {
    const { served: place, host: machine, inPlace } = there();
    await place.start();
    writeFileSync(inPlace('host-key.pub'), `${machine.hostKey}\n`);
    const letIn = async () => {
      await machine.run(
        ['sh', '-c', 'cat >> /root/.ssh/authorized_keys'],
        readFileSync(inPlace('hostler-key.pub'), 'utf8'),
      );
    };
    await readThrough('docs/guides/enrol-hosts.md', place.place, {
      typedBefore: place.tour,
      replaced: [
        [/(?<=host (?:add|remove|ssh) |\/host\/|echo ')127\.0\.0\.1/g, machine.address],
        ['/etc/ssh/ssh_host_ed25519_key.pub', inPlace('host-key.pub')],
      ],
      rules: [
        { has: '--host-key', before: letIn, says: /disassociated/ },
        { has: '--cluster web', says: /active/ },
        { has: 'host ssh', says: /PRETTY_NAME/ },
      ],
    });
  });

  test('moving from Commissaire', { timeout: TEST_MS }, async () => {
    const { served: place, host: machine, inPlace } = there();
    place.place.addProgram('commctl', `#!/bin/sh\nexec ${COMMCTL} "$@"\n`);
    copyFileSync((await loginKey()).file, inPlace('fleet-key'));
    await readThrough('docs/guides/migrate-from-commissaire.md', place.place, {
      replaced: [
        ['npm start', `npm start -- --listen ${new URL(place.url).host}`],
        ['http://127.0.0.1:8000', place.url],
        ['"…"', `"${READERS_PASSWORD}"`],
        ['host create 127.0.0.1', `host create ${machine.address}`],
        ['host get 127.0.0.1', `host get ${machine.address}`],
      ],
      rules: [
        { has: 'npm start', beside: /API +http/ },
        { has: 'host get', says: /status: active[\s\S]*name: web[\s\S]*restarted:/ },
      ],
    });
  });
});
