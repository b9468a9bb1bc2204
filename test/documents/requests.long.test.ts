// Documents about requests, at a service whose hosts are pretended.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { describeWithPrograms } from '../harness/documents/describe-with-programs.ts';
import type { PretendPlace } from '../harness/documents/pretend-place.ts';
import { makePretendPlace } from '../harness/documents/pretend-place.ts';
import { readThrough } from '../harness/documents/read-through.ts';
import { WebhookReceiver } from '../harness/events/webhook-receiver.ts';
import { OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { until } from '../harness/until.ts';

const LONG = { timeout: 120_000 };
const PROGRAMS = ['curl --version', 'openssl version', 'ssh-keygen -?'];
const HOSTS = { '127.0.0.1': {}, '127.0.0.2': {} };
const SETTINGS = {
  HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true',
  HOSTLER_PUBLIC_URL: 'https://hostler.example:8000',
};

describeWithPrograms('what a document gives to type works', PROGRAMS, () => {
  let made: PretendPlace;
  beforeEach(async () => {
    made = await makePretendPlace({ hosts: HOSTS, settings: SETTINGS });
  });
  afterEach(() => made.stop());

  const inPlace = (name: string) => path.join(made.place.checkout, name);
  const statusOf = async (address: string) => (await made.service.client.getHostStatus({ address })).body;

  /** Public host keys where a document says that a host has them. */
  function makeHostKeys(): string {
    const folder = inPlace('etc-ssh');
    execFileSync('mkdir', [folder]);
    const file = path.join(folder, 'ssh_host_ed25519_key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    return folder;
  }

  test('the interface', LONG, async () => {
    const { service, fleet, place, tour } = made;
    await made.enrol('127.0.0.1', 'web');
    await service.makeAccount('ann', 'operator', 'PASSWORD');
    writeFileSync(inPlace('new-key'), Buffer.from(OTHER_PRIVATE_KEY, 'base64'));
    const noneRuns = () =>
      until('no operation runs', async () => {
        const { body } = await service.client.listOperations({ query: { status: 'in_process' } });
        return body.length === 0;
      });
    await readThrough('docs/reference/api.md', place, {
      typedBefore: tour,
      replaced: [
        ['"ssh_priv_key": "…"', `"ssh_priv_key": "${PRIVATE_KEY}"`],
        ['/etc/ssh', makeHostKeys()],
      ],
      rules: [
        { has: '/restart"', refusals: ['operation_running'] },
        { has: '/bootstrap"', before: noneRuns },
        {
          has: '/accept-key"',
          before: async () => {
            fleet.host('127.0.0.1' as Address).addFault({ kind: 'key_changed' });
            await service.put('/api/v0/host/127.0.0.1/bootstrap');
            await until(
              'the other key is told',
              async () => 'pending_host_key' in (await statusOf('127.0.0.1')).host,
            );
            const { pending_host_key } = (await statusOf('127.0.0.1')).host as {
              pending_host_key: { fingerprint: string };
            };
            writeFileSync(inPlace('fingerprint'), pending_host_key.fingerprint);
          },
          typedAs: text => text.replace('SHA256:…', readFileSync(inPlace('fingerprint'), 'utf8')),
        },
      ],
    });
  });

  test('tokens and cloud-init', LONG, async () => {
    const { place, tour } = made;
    await readThrough('docs/guides/enrolment-tokens.md', place, {
      typedBefore: tour,
      replaced: [
        ['/etc/ssh', makeHostKeys()],
        ['/run/hostler-token', inPlace('hostler-token')],
      ],
      rules: [
        {
          has: 'hst_…',
          typedAs: (text, said) => text.replace('hst_…', /hst_[\w-]+/.exec(said)?.[0] ?? ''),
        },
        { has: 'hosts?cluster=web', says: /"used":1/ },
      ],
    });
    expect(readFileSync(inPlace('user-data'), 'utf8')).toContain('https://hostler.example:8000');
  });

  test('webhooks', LONG, async () => {
    const receiver = await WebhookReceiver.start();
    try {
      await readThrough('docs/guides/webhooks.md', made.place, {
        typedBefore: made.tour,
        replaced: [['https://hooks.example', receiver.url]],
      });
    } finally {
      await receiver.stop();
    }
  });

  test('events', LONG, () =>
    readThrough('docs/reference/events.md', made.place, {
      typedBefore: made.tour,
      rules: [{ has: '/events"', leftAt: /: stream open/, failures: ['130: curl'] }],
    }),
  );

  test('monitoring', LONG, () =>
    readThrough('docs/admin/monitoring.md', made.place, { typedBefore: made.tour }),
  );

  test('the command line', LONG, async () => {
    const { service, place } = made;
    writeFileSync(inPlace('token'), 'a-token');
    writeFileSync(inPlace('edge.yaml'), 'server_url: https://127.0.0.1:6443\n');
    place.addProgram('pass', '#!/bin/sh\necho another-token\n');
    await readThrough('docs/reference/cli.md', place, {
      replaced: [['http://127.0.0.1:8000', service.url]],
    });
    expect((await service.client.listContainerManagers()).body).toEqual(['edge', 'kube']);
  });
});
