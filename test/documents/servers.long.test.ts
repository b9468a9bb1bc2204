// Documents for whoever runs the service: it is started in a checkout, as they say.

import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { describeWithPrograms } from '../harness/documents/describe-with-programs.ts';
import { readThrough } from '../harness/documents/read-through.ts';
import type { ServedPlace } from '../harness/documents/served-place.ts';
import { makeServedPlace, READERS_PASSWORD } from '../harness/documents/served-place.ts';
import { TraceReceiver } from '../harness/monitoring/trace-receiver.ts';
import { freePort } from '../harness/ssh/sshd.ts';
import { describePostgres } from '../harness/stores/stores.ts';

const STARTED = /API +http/;
const LONG = { timeout: 240_000 };
const PATH_OF_CRON = '/usr/bin:/bin';
const PROGRAMS = ['curl --version', 'jq --version', 'openssl version', 'nginx -v', 'haproxy -v'];

describeWithPrograms('what a document for servers gives to type works', PROGRAMS, () => {
  let served: ServedPlace;
  beforeEach(async () => {
    served = await makeServedPlace();
  });
  afterEach(() => served.leave());

  const inPlace = (name: string) => path.join(served.place.checkout, name);
  const otherAddress = async () => `127.0.0.1:${await freePort()}`;

  test('accounts and roles', LONG, async () => {
    await served.start();
    await readThrough('docs/guides/accounts.md', served.place, {
      rules: [
        { has: /^HOSTLER_USER=olga .* user list$/, failures: ['4: HOSTLER_USER=olga'], says: /role/ },
        { has: 'request.denied', says: /olga/ },
      ],
    });
  });

  test('troubleshooting', LONG, async () => {
    await served.start();
    await readThrough('docs/admin/troubleshooting.md', served.place, {
      rules: [{ has: 'host show', failures: ['4: npx hostler host show'], says: /127\.0\.0\.1/ }],
    });
  });

  test('the audit log', LONG, async () => {
    await served.start();
    await readThrough('docs/admin/audit-log.md', served.place, {
      replaced: [
        ['admin:PASSWORD', `'admin:${READERS_PASSWORD}'`],
        ['http://127.0.0.1:8000', served.url],
      ],
      rules: [
        { has: /audit verify$/, notCompared: 'it is another log' },
        {
          has: '--expect',
          typedAs: (text, said) => text.replace('18230:5f0c…', /Newest entry: (\S+)/.exec(said)?.[1] ?? ''),
        },
      ],
    });
  });

  test('backup and restore', LONG, async () => {
    await served.start();
    await readThrough('docs/admin/backup-and-restore.md', served.place, {
      replaced: [
        ['/srv/backups', inPlace('backups')],
        ['/opt/hostler', served.place.checkout],
        // What cron takes away before it runs the rest.
        ['10 3 * * * ', ''],
        ['\\%', '%'],
        ['Saved 44 hosts and 3 clusters', 'Saved 0 hosts and 0 clusters'],
        ['data/secret.key; keep', `${inPlace('data/secret.key')}; keep`],
      ],
      rules: [
        { has: '* * *', typedAs: text => `(PATH=${PATH_OF_CRON}; ${text})` },
        {
          has: /^npx hostler restore \S+$/,
          before: async () => {
            await served.stop();
            for (const end of ['', '-wal', '-shm'])
              rmSync(inPlace(`data/hostler.sqlite${end}`), { force: true });
          },
        },
      ],
    });
  });

  test('configuration', LONG, async () => {
    const listen = await otherAddress();
    await readThrough('docs/reference/configuration.md', served.place, {
      replaced: [['127.0.0.1:8123', listen]],
      rules: [
        { has: 'npm start -- --listen', beside: STARTED },
        { has: 'HOSTLER_LISTEN=127.0.0.1:0', stopsOthers: true, beside: STARTED },
      ],
    });
  });

  test('key rotation', LONG, async () => {
    await served.start();
    await readThrough('docs/admin/rotate-keys.md', served.place);
  });

  test('traces', LONG, async () => {
    const receiver = await TraceReceiver.start();
    try {
      await readThrough('docs/admin/tracing.md', served.place, {
        replaced: [
          ['http://127.0.0.1:4318', receiver.url],
          ['npm start', `npm start -- --listen ${new URL(served.url).host}`],
          ["'…'", `'${READERS_PASSWORD}'`],
        ],
        rules: [{ has: 'HOSTLER_TRACE_ENDPOINT', beside: STARTED }],
      });
      expect(receiver.traceOf('PUT /api/v0/cluster/{name}')[0]?.parentId).toBe('');
    } finally {
      await receiver.stop();
    }
  });

  test('TLS, and a proxy in front', LONG, async () => {
    const [plain, secured, nginx, haproxy] = await Promise.all(Array.from({ length: 4 }, otherAddress));
    await readThrough('docs/admin/tls-and-proxies.md', served.place, {
      replaced: [
        ['127.0.0.1:8000', plain ?? ''],
        ['127.0.0.1:8443', secured ?? ''],
        ['127.0.0.1:8444', nginx ?? ''],
        ['127.0.0.1:8445', haproxy ?? ''],
        ["'…'", `'${READERS_PASSWORD}'`],
      ],
      rules: [
        { has: 'HOSTLER_TLS_CERT', beside: STARTED },
        { has: 'HOSTLER_TRUST_PROXY', stopsOthers: true, beside: STARTED },
        { has: '--interface 127.0.0.9', says: /: stream open[\s\S]*"address":"127\.0\.0\.9"/ },
        {
          has: 'until curl',
          failures: ['28: curl'],
          says: /: stream open/,
        },
      ],
    });
  });
});

describePostgres('what the document about PostgreSQL gives to type works', () => {
  test('PostgreSQL and several servers', LONG, async () => {
    const served = await makeServedPlace();
    const [first, second] = await Promise.all([freePort(), freePort()]);
    const socket = new URL(inject('postgresUrl')).searchParams.get('host') ?? '';
    const name = `reader_${process.pid}`;
    try {
      await readThrough('docs/admin/high-availability.md', served.place, {
        typedBefore: `export PGHOST='${socket}' PGUSER=hostler`,
        replaced: [
          ['create role hostler', `create role ${name}`],
          ['--owner hostler hostler', `--owner ${name} ${name}`],
          [
            'postgres://hostler:password@127.0.0.1:5432/hostler',
            `postgres://${name}:password@localhost/${name}?host=${encodeURIComponent(socket)}`,
          ],
          [/(?<=secret.key\n)npm start/g, `HOSTLER_LISTEN=127.0.0.1:${first} npm start`],
          ['127.0.0.1:8000', `127.0.0.1:${first}`],
          ['127.0.0.1:8001', `127.0.0.1:${second}`],
          ["'…'", `'${READERS_PASSWORD}'`],
        ],
        rules: [
          { has: 'HOSTLER_LISTEN=127.0.0.1:8001', beside: STARTED },
          { has: 'npm start', beside: STARTED },
          { has: 'cluster list', says: /web/ },
        ],
      });
    } finally {
      await served.leave();
    }
  });
});
