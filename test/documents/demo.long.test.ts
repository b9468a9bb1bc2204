// Documents that are tried at the demo.

import { describe, test } from 'vitest';
import { readThrough } from '../harness/documents/read-through.ts';
import { makeReaderPlace } from '../harness/documents/reader-place.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';
import { basic } from '../harness/service.ts';
import { freePort } from '../harness/ssh/sshd.ts';
import { until } from '../harness/until.ts';

/** The upgrade that the demo begins takes a minute. */
const UPGRADE_MS = 150_000;
const ENDED = ['finished', 'failed', 'cancelled'];

async function operationsOf(url: string): Promise<readonly { readonly state: string }[]> {
  const asked = await fetch(`${url}/api/v0/operations?cluster=web`, {
    headers: { authorization: basic('admin:demo') },
  });
  return (await asked.json()) as { state: string }[];
}

const begun = (url: string) =>
  until('the upgrade has begun', async () => (await operationsOf(url)).length > 0, UPGRADE_MS);
const ended = (url: string) =>
  until(
    'what has begun has ended',
    async () => {
      const operations = await operationsOf(url);
      return operations.length > 0 && operations.every(({ state }) => ENDED.includes(state));
    },
    UPGRADE_MS,
  );

describe('what a document about the demo gives to type works', { timeout: 400_000 }, () => {
  test('the demo', async () => {
    const listen = `127.0.0.1:${await freePort()}`;
    const url = `http://${listen}`;
    const place = await makeReaderPlace({ HOSTLER_URL: url });
    try {
      await readThrough('docs/getting-started/demo.md', place, {
        replaced: [
          ['npm run demo', `npm run demo -- --listen ${listen}`],
          ['http://127.0.0.1:8000', url],
        ],
        rules: [
          { has: /^npm run demo$/, beside: /API +http/ },
          { has: '--watch', leftAt: /(?:CHECKED|LAST CHECK)\n127\.81\.0\.9 +failed/, failures: ['130: npx'] },
          {
            has: 'operation follow web',
            before: () => begun(url),
            leftAt: /127\.81\./,
            failures: ['130: npx'],
          },
          {
            has: 'restart compute --max',
            leftAt: /rebooting/,
            failures: ['130: npx'],
            notCompared: 'it is a picture of one moment in a terminal',
          },
        ],
      });
    } finally {
      place.remove();
    }
  });

  test('operations', async () => {
    const demo: RunningProgram = runHostler(['demo', '--listen', '127.0.0.1:0'], {});
    const url = await demo.url();
    const place = await makeReaderPlace();
    try {
      await readThrough('docs/guides/run-operations.md', place, {
        replaced: [['http://127.0.0.1:8000', url]],
        rules: [
          { has: '"dry_run": true', before: () => ended(url) },
          { has: '--follow | cat', before: () => ended(url) },
          { has: 'limit=1"', notCompared: 'it is told over several lines' },
          { has: 'Idempotency-Key', refusals: ['operation_running'] },
        ],
      });
    } finally {
      await demo.kill('SIGTERM');
      place.remove();
    }
  });
});
