import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runDoctorChecks } from '../../../test/harness/doctor-fixtures.ts';
import { listen } from '../../../test/harness/http/sockets.ts';

const base = mkdtempSync(path.join(tmpdir(), 'hostler-doctor-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('address check', () => {
  const NOT_READY = { status: 503, code: 'store_unavailable', detail: 'the store cannot be reached' };
  test.each<[string, RequestListener, RegExp]>([
    ['another program', (_, response) => response.end('hello'), /^error address: .*already in use/],
    [
      'a program that responds with JSON',
      (_, response) => response.end('{"status":"up"}'),
      /^error address: .*already in use/,
    ],
    ['a program that closes connections', ({ socket }) => void socket.destroy(), /^error address: .*already in use/],
    [
      'a Hostler server that is not ready',
      (_, response) => response.writeHead(503).end(JSON.stringify(NOT_READY)),
      /^warning address: Hostler is running at .* but is not ready: the store cannot be reached/,
    ],
  ])('reports an address in use by %s', async (_name, listener, expected) => {
    const server = createServer(listener);
    const port = await listen(server);
    const lines = await runDoctorChecks({
      HOSTLER_DATA: path.join(base, 'none'),
      HOSTLER_LISTEN: `127.0.0.1:${port}`,
    });
    server.close();
    expect(lines).toContainEqual(expect.stringMatching(expected));
  });
});
