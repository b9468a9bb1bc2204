// A server with a full disk, on a small file system.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/cli/program.ts';
import { PROGRAM, runCommand } from '../harness/programs/process.ts';
import { createAdminClient, serverSettings } from '../harness/programs/server-process.ts';
import { checkRoot, describeUnless } from '../harness/vitest/conditional-suites.ts';
import { waitUntil } from '../harness/wait-until.ts';

describeUnless(checkRoot(), 'a full disk', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-disk-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** `before` runs in the folder before the server starts. */
  const serve = (before = 'true') =>
    runCommand(
      'unshare',
      [
        ...['--mount', 'bash', '-c'],
        `mount -t tmpfs -o size=8m tmpfs "$1" && cd "$1" && { ${before}; cd "$OLDPWD"; } && exec "$2" "$3" serve`,
        ...['bash', folder, process.execPath, PROGRAM],
      ],
      serverSettings({ folder }),
    );

  test('makes the server not ready until space is free again', async () => {
    const server = serve();
    const url = await server.url();
    const client = createAdminClient(url);
    const readyStatus = async () => {
      const { status } = await fetch(`${url}/readyz`);
      return status;
    };
    expect(await readyStatus()).toBe(200);
    const filler = path.join(`/proc/${server.child.pid}/root`, folder, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(16_000_000))).toThrow('ENOSPC');
    await waitUntil('the server is not ready', async () => (await readyStatus()) === 503);
    await expect(client.putCluster({ name: 'c', body: { network: 'default' } })).rejects.toMatchObject({
      problem: { code: 'store_unavailable' },
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    rmSync(filler);
    await waitUntil('the server is ready again', async () => (await readyStatus()) === 200);
    await client.putCluster({ name: 'c', body: { network: 'default' } });
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test.each([
    ['before the first start', 'head -c 16000000 /dev/zero >filler 2>/dev/null; true'],
    ['with only a few free pages', 'head -c 8000000 /dev/zero >filler 2>/dev/null; true'],
  ])('ends the program with one line %s', async (_when, fill) => {
    const server = serve(fill);
    expect(await server.ended).toEqual({ code: EXIT_CODES.failed, signal: null });
    expect(server.stderr).toMatch(/^hostler: \/\S+ cannot grow \(.*\); free space on its disk\n$/);
    expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(folder);
  });
});
