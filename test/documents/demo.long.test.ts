import { describe, test } from 'vitest';
import { basic } from '../harness/credentials.ts';
import { createDocSandbox } from '../harness/documents/doc-sandbox.ts';
import { runDocument } from '../harness/documents/run-document.ts';
import { freePort } from '../harness/http/sockets.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** The upgrade that the demo starts takes a minute. */
const UPGRADE_MS = 150_000;
const ENDED = ['finished', 'failed', 'cancelled'];

async function operationsOf(url: string): Promise<readonly { readonly state: string }[]> {
  const response = await fetch(`${url}/api/v0/operations?cluster=web`, {
    headers: { authorization: basic('admin:demo') },
  });
  return (await response.json()) as { state: string }[];
}

const untilStarted = (url: string) =>
  waitUntil('the upgrade has started', async () => (await operationsOf(url)).length > 0, UPGRADE_MS);
const untilEnded = (url: string) =>
  waitUntil(
    'all operations have ended',
    async () => {
      const operations = await operationsOf(url);
      return operations.length > 0 && operations.every(({ state }) => ENDED.includes(state));
    },
    UPGRADE_MS,
  );

describe('documents about the demo', { timeout: 400_000 }, () => {
  test('the commands in demo.md work', async () => {
    const listen = `127.0.0.1:${await freePort()}`;
    const url = `http://${listen}`;
    const sandbox = await createDocSandbox({ HOSTLER_URL: url });
    try {
      await runDocument('docs/getting-started/demo.md', sandbox, {
        substitutions: [
          ['npm run demo', `npm run demo -- --listen ${listen}`],
          ['http://127.0.0.1:8000', url],
        ],
        rules: [
          { contains: /^npm run demo$/, backgroundUntil: /API +http/ },
          {
            contains: '--watch',
            interruptAt: /LABELS\n- +127\.81\.0\.9 +web +failed/,
            failures: ['130: npx'],
          },
          {
            contains: 'operation follow web',
            before: () => untilStarted(url),
            interruptAt: /web-\d\d /,
            failures: ['130: npx'],
          },
          {
            contains: 'restart compute --max',
            interruptAt: /rebooting/,
            failures: ['130: npx'],
            uncomparedReason: 'it shows one moment in a terminal',
          },
        ],
      });
    } finally {
      sandbox.remove();
    }
  });

  test('the commands in run-operations.md work', async () => {
    const demo: RunningProgram = runHostler(['demo', '--listen', '127.0.0.1:0'], {});
    const url = await demo.url();
    const sandbox = await createDocSandbox();
    try {
      await runDocument('docs/guides/run-operations.md', sandbox, {
        substitutions: [['http://127.0.0.1:8000', url]],
        rules: [
          { contains: '"dry_run": true', before: () => untilEnded(url) },
          { contains: '--follow | cat', before: () => untilEnded(url) },
          { contains: 'limit=1"', uncomparedReason: 'it is formatted over several lines' },
          { contains: 'Idempotency-Key', errorCodes: ['operation_running'] },
        ],
      });
    } finally {
      await demo.kill('SIGTERM');
      sandbox.remove();
    }
  });
});
