// Runs documents about the API against a service with simulated hosts.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import type { SimulatedSandbox } from '../harness/documents/doc-sandbox.ts';
import { createSimulatedSandbox } from '../harness/documents/doc-sandbox.ts';
import { runDocument } from '../harness/documents/run-document.ts';
import { WebhookReceiver } from '../harness/events/webhook-receiver.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';
import { waitUntil } from '../harness/wait-until.ts';

const PROGRAMS = ['curl', 'openssl', 'ssh-keygen'];
const HOSTS = { '127.0.0.1': {}, '127.0.0.2': {} };
const SETTINGS = {
  HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true',
  HOSTLER_PUBLIC_URL: 'https://hostler.example:8000',
};

describeWithPrograms('documents about the API', PROGRAMS, () => {
  let environment: SimulatedSandbox;
  beforeEach(async () => {
    environment = await createSimulatedSandbox({ hosts: HOSTS, settings: SETTINGS });
  });
  afterEach(() => environment.stop());

  const inPlace = (name: string) => path.join(environment.sandbox.checkout, name);
  const statusOf = async (address: string) => (await environment.service.client.getHostStatus({ address })).body;

  /** Creates public host keys for the path that the documents use. */
  function makeHostKeys(): string {
    const folder = inPlace('etc-ssh');
    execFileSync('mkdir', [folder]);
    const file = path.join(folder, 'ssh_host_ed25519_key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    return folder;
  }

  test('the commands in api.md work', async () => {
    const { service, fleet, sandbox, quickstartSetup } = environment;
    await createActiveCluster(service.client, 'web', [{ address: '127.0.0.1' }]);
    await service.makeAccount('ann', 'operator', 'PASSWORD');
    writeFileSync(inPlace('new-key'), Buffer.from(OTHER_PRIVATE_KEY, 'base64'));
    const untilIdle = () =>
      waitUntil('no operation runs', async () => {
        const { body } = await service.client.listOperations({ query: { status: 'in_process' } });
        return body.length === 0;
      });
    await runDocument('docs/reference/api.md', sandbox, {
      setup: quickstartSetup,
      substitutions: [
        ['"ssh_priv_key": "…"', `"ssh_priv_key": "${PRIVATE_KEY}"`],
        ['/etc/ssh', makeHostKeys()],
      ],
      rules: [
        { contains: '/restart"', errorCodes: ['operation_running'] },
        { contains: '/bootstrap"', before: untilIdle },
        {
          contains: '/accept-key"',
          before: async () => {
            fleet.host('127.0.0.1' as Address).addFault({ kind: 'key_changed' });
            await service.put('/api/v0/host/127.0.0.1/bootstrap');
            await waitUntil(
              'the pending host key is reported',
              async () => 'pending_host_key' in (await statusOf('127.0.0.1')).host,
            );
            const { pending_host_key } = (await statusOf('127.0.0.1')).host as {
              pending_host_key: { fingerprint: string };
            };
            writeFileSync(inPlace('fingerprint'), pending_host_key.fingerprint);
          },
          rewrite: text => text.replace('SHA256:…', readFileSync(inPlace('fingerprint'), 'utf8')),
        },
      ],
    });
  });

  test('the commands in enrolment-tokens.md work', async () => {
    const { sandbox, quickstartSetup } = environment;
    await runDocument('docs/guides/enrolment-tokens.md', sandbox, {
      setup: quickstartSetup,
      substitutions: [
        ['/etc/ssh', makeHostKeys()],
        ['/run/hostler-token', inPlace('hostler-token')],
      ],
      rules: [
        {
          contains: 'hst_…',
          rewrite: (text, output) => text.replace('hst_…', /hst_[\w-]+/.exec(output)?.[0] ?? ''),
        },
        { contains: 'hosts?cluster=web', expectOutput: /"used":1/ },
      ],
    });
    expect(readFileSync(inPlace('user-data'), 'utf8')).toContain('https://hostler.example:8000');
  });

  test('the commands in webhooks.md work', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      await runDocument('docs/guides/webhooks.md', environment.sandbox, {
        setup: environment.quickstartSetup,
        substitutions: [['https://hooks.example', receiver.url]],
      });
    } finally {
      await receiver.stop();
    }
  });

  test('the commands in events.md work', () =>
    runDocument('docs/reference/events.md', environment.sandbox, {
      setup: environment.quickstartSetup,
      rules: [{ contains: '/events"', interruptAt: /: stream open/, failures: ['130: curl'] }],
    }));

  test('the commands in monitoring.md work', () =>
    runDocument('docs/admin/monitoring.md', environment.sandbox, { setup: environment.quickstartSetup }));

  test('the commands in cli.md work', async () => {
    const { service, sandbox } = environment;
    writeFileSync(inPlace('token'), 'a-token');
    writeFileSync(inPlace('edge.yaml'), 'server_url: https://127.0.0.1:6443\n');
    sandbox.addProgram('pass', '#!/bin/sh\necho another-token\n');
    await runDocument('docs/reference/cli.md', sandbox, {
      substitutions: [['http://127.0.0.1:8000', service.url]],
    });
    expect((await service.client.listContainerManagers()).body).toEqual(['edge', 'kube']);
  });
});
