// Runs documents about hosts: a real host is enrolled, logged in to and restarted.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'vitest';
import type { ServerSandbox } from '../harness/documents/doc-sandbox.ts';
import { createServerSandbox, SANDBOX_PASSWORD } from '../harness/documents/doc-sandbox.ts';
import { runDocument } from '../harness/documents/run-document.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { describeOnRealHosts } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHost } from '../harness/real-hosts/light-host.ts';

/** Commissaire's own client if it is installed, otherwise a stand-in that sends the same requests. */
const COMMCTL =
  process.env['HOSTLER_COMMCTL'] ??
  `'${process.execPath}' '${path.join(PROJECT, 'test/harness/programs/commctl-stub.ts')}'`;

/** The first run on a machine builds the images. */
const TEST_MS = 600_000;

describeOnRealHosts('documents about hosts', () => {
  let [served, host]: [ServerSandbox?, LightHost?] = [];
  beforeEach(async () => {
    served = await createServerSandbox();
    host = await startLightHost({ identity: 'debian', port: 22 });
  }, TEST_MS);
  afterEach(async () => {
    await served?.remove();
    await host?.stop();
  });

  const started = () => {
    if (served === undefined || host === undefined) throw new Error('not started');
    return { served, host, inPlace: (name: string) => path.join(served?.sandbox.checkout ?? '', name) };
  };

  test('the commands in enrol-hosts.md work', { timeout: TEST_MS }, async () => {
    const { served: server, host: machine, inPlace } = started();
    await server.start();
    writeFileSync(inPlace('host-key.pub'), `${machine.hostKey}\n`);
    const authorizeKey = async () => {
      await machine.run(
        ['sh', '-c', 'cat >> /root/.ssh/authorized_keys'],
        readFileSync(inPlace('hostler-key.pub'), 'utf8'),
      );
    };
    await runDocument('docs/guides/enrol-hosts.md', server.sandbox, {
      setup: server.quickstartSetup,
      substitutions: [
        [/(?<=host (?:add|remove|ssh) |\/host\/|echo ')127\.0\.0\.1/g, machine.address],
        ['/etc/ssh/ssh_host_ed25519_key.pub', inPlace('host-key.pub')],
      ],
      rules: [
        { contains: '--host-key', before: authorizeKey, expectOutput: /disassociated/ },
        { contains: '--cluster web', expectOutput: /active/ },
        { contains: 'host ssh', expectOutput: /PRETTY_NAME/ },
      ],
    });
  });

  test('the commands in migrate-from-commissaire.md work', { timeout: TEST_MS }, async () => {
    const { served: server, host: machine, inPlace } = started();
    server.sandbox.addProgram('commctl', `#!/bin/sh\nexec ${COMMCTL} "$@"\n`);
    copyFileSync((await loginKey()).file, inPlace('fleet-key'));
    await runDocument('docs/guides/migrate-from-commissaire.md', server.sandbox, {
      substitutions: [
        ['npm start', `npm start -- --listen ${new URL(server.url).host}`],
        ['http://127.0.0.1:8000', server.url],
        ['"…"', `"${SANDBOX_PASSWORD}"`],
        ['host create 127.0.0.1', `host create ${machine.address}`],
        ['host get 127.0.0.1', `host get ${machine.address}`],
      ],
      rules: [
        { contains: 'npm start', backgroundUntil: /API +http/ },
        { contains: 'host get', expectOutput: /status: active[\s\S]*name: web[\s\S]*restarted:/ },
      ],
    });
  });
});
