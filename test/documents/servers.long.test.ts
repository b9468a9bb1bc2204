// Runs documents for administrators with a service that is started from a checkout.

import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { ServerSandbox } from '../harness/documents/doc-sandbox.ts';
import { createServerSandbox, SANDBOX_PASSWORD } from '../harness/documents/doc-sandbox.ts';
import { runDocument } from '../harness/documents/run-document.ts';
import { freePort } from '../harness/http/sockets.ts';
import { TraceReceiver } from '../harness/monitoring/trace-receiver.ts';
import { describePostgres } from '../harness/stores/stores.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

const STARTED = /API +http/;
const PATH_OF_CRON = '/usr/bin:/bin';
const PROGRAMS = ['curl', 'jq', 'openssl', 'nginx', 'haproxy'];

describeWithPrograms('documents for administrators', PROGRAMS, () => {
  let served: ServerSandbox;
  beforeEach(async () => {
    served = await createServerSandbox();
  });
  afterEach(() => served.remove());

  const inPlace = (name: string) => path.join(served.sandbox.checkout, name);
  const otherAddress = async () => `127.0.0.1:${await freePort()}`;

  test('the commands in accounts.md work', async () => {
    await served.start();
    await runDocument('docs/guides/accounts.md', served.sandbox, {
      rules: [
        {
          contains: /^HOSTLER_USER=olga .* user list$/,
          failures: ['4: HOSTLER_USER=olga'],
          expectOutput: /role/,
        },
        { contains: 'request.denied', expectOutput: /olga/ },
      ],
    });
  });

  test('the commands in troubleshooting.md work', async () => {
    await served.start();
    await runDocument('docs/admin/troubleshooting.md', served.sandbox, {
      rules: [{ contains: 'host show', failures: ['5: npx hostler host show'], expectOutput: /127\.0\.0\.1/ }],
    });
  });

  test('the commands in audit-log.md work', async () => {
    await served.start();
    await runDocument('docs/admin/audit-log.md', served.sandbox, {
      substitutions: [
        ['admin:PASSWORD', `'admin:${SANDBOX_PASSWORD}'`],
        ['http://127.0.0.1:8000', served.url],
      ],
      rules: [
        { contains: /audit verify$/, uncomparedReason: 'it is another log' },
        {
          contains: '--expect',
          rewrite: (text, output) => text.replace('18230:5f0c…', /Newest entry: (\S+)/.exec(output)?.[1] ?? ''),
        },
      ],
    });
  });

  test('the commands in backup-and-restore.md work', async () => {
    await served.start();
    await runDocument('docs/admin/backup-and-restore.md', served.sandbox, {
      substitutions: [
        ['/srv/backups', inPlace('backups')],
        ['/opt/hostler', served.sandbox.checkout],
        // Removed by cron before it runs the command.
        ['10 3 * * * ', ''],
        ['\\%', '%'],
        ['Saved 44 hosts and 3 clusters', 'Saved 0 hosts and 0 clusters'],
        ['data/secret.key; keep', `${inPlace('data/secret.key')}; keep`],
      ],
      rules: [
        { contains: '* * *', rewrite: text => `(PATH=${PATH_OF_CRON}; ${text})` },
        {
          contains: /^npx hostler restore \S+$/,
          before: async () => {
            await served.stop();
            for (const end of ['', '-wal', '-shm']) rmSync(inPlace(`data/hostler.sqlite${end}`), { force: true });
          },
        },
      ],
    });
  });

  test('the commands in configuration.md work', async () => {
    const listen = await otherAddress();
    await runDocument('docs/reference/configuration.md', served.sandbox, {
      substitutions: [['127.0.0.1:8123', listen]],
      rules: [
        { contains: 'npm start -- --listen', backgroundUntil: STARTED },
        { contains: 'HOSTLER_LISTEN=127.0.0.1:0', stopsBackground: true, backgroundUntil: STARTED },
      ],
    });
  });

  test('the commands in rotate-keys.md work', async () => {
    await served.start();
    await runDocument('docs/admin/rotate-keys.md', served.sandbox);
  });

  test('the commands in tracing.md work', async () => {
    const receiver = await TraceReceiver.start();
    try {
      await runDocument('docs/admin/tracing.md', served.sandbox, {
        substitutions: [
          ['http://127.0.0.1:4318', receiver.url],
          ['npm start', `npm start -- --listen ${new URL(served.url).host}`],
          ["'…'", `'${SANDBOX_PASSWORD}'`],
        ],
        rules: [{ contains: 'HOSTLER_TRACE_ENDPOINT', backgroundUntil: STARTED }],
      });
      expect(receiver.findTrace('PUT /api/v0/cluster/{name}')[0]?.parentId).toBe('');
    } finally {
      await receiver.stop();
    }
  });

  test('the commands in tls-and-proxies.md work', async () => {
    const [plain, secured, nginx, haproxy] = await Promise.all(Array.from({ length: 4 }, otherAddress));
    await runDocument('docs/admin/tls-and-proxies.md', served.sandbox, {
      substitutions: [
        ['127.0.0.1:8000', plain ?? ''],
        ['127.0.0.1:8443', secured ?? ''],
        ['127.0.0.1:8444', nginx ?? ''],
        ['127.0.0.1:8445', haproxy ?? ''],
        ["'…'", `'${SANDBOX_PASSWORD}'`],
      ],
      rules: [
        { contains: 'HOSTLER_TLS_CERT', backgroundUntil: STARTED },
        { contains: 'HOSTLER_TRUST_PROXY', stopsBackground: true, backgroundUntil: STARTED },
        { contains: '--interface 127.0.0.9', expectOutput: /: stream open[\s\S]*"address":"127\.0\.0\.9"/ },
        {
          contains: 'until curl',
          failures: ['28: curl'],
          expectOutput: /: stream open/,
        },
      ],
    });
  });
});

describePostgres('the document about PostgreSQL', () => {
  test('the commands in high-availability.md work', async () => {
    const served = await createServerSandbox();
    const [first, second] = await Promise.all([freePort(), freePort()]);
    const socket = new URL(inject('postgresUrl')).searchParams.get('host') ?? '';
    const name = `reader_${process.pid}`;
    try {
      await runDocument('docs/admin/high-availability.md', served.sandbox, {
        setup: `export PGHOST='${socket}' PGUSER=hostler`,
        substitutions: [
          ['create role hostler', `create role ${name}`],
          ['--owner hostler hostler', `--owner ${name} ${name}`],
          [
            'postgres://hostler:password@127.0.0.1:5432/hostler',
            `postgres://${name}:password@localhost/${name}?host=${encodeURIComponent(socket)}`,
          ],
          [/(?<=secret.key\n)npm start/g, `HOSTLER_LISTEN=127.0.0.1:${first} npm start`],
          ['127.0.0.1:8000', `127.0.0.1:${first}`],
          ['127.0.0.1:8001', `127.0.0.1:${second}`],
          ["'…'", `'${SANDBOX_PASSWORD}'`],
        ],
        rules: [
          { contains: 'HOSTLER_LISTEN=127.0.0.1:8001', backgroundUntil: STARTED },
          { contains: 'npm start', backgroundUntil: STARTED },
          { contains: 'cluster list', expectOutput: /web/ },
        ],
      });
    } finally {
      await served.remove();
    }
  });
});
