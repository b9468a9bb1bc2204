// A failed start for the service manager and the journal: one line, and an exit code that says whether a
// retry is useful.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/cli/program.ts';
import { storeFilePath } from '../../src/store/sqlite/open-sqlite.ts';
import { PROGRAM, runCommand } from '../harness/programs/process.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostler-start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;

/** Runs as a user who is subject to file permissions: root without its capabilities. */
function serveUnprivileged(settings: Readonly<Record<string, string>>) {
  const [command, ...args] = [
    ...(isRoot ? ['setpriv', '--bounding-set=-all'] : []),
    ...[process.execPath, PROGRAM, 'serve'],
  ];
  return runCommand(command ?? '', args, {
    HOSTLER_LISTEN: '127.0.0.1:0',
    HOSTLER_DATA: folder,
    ...settings,
  });
}

const KEY = Buffer.alloc(32).toString('base64');

test.each<[string, (folder: string) => Record<string, string>, RegExp, number]>([
  [
    'a data directory of another user',
    place => {
      chmodSync(place, 0o500);
      return {};
    },
    /^hostler: user \d+ cannot write to \/\S+ \(EACCES\); run this command as the service user, or change the owner\n$/,
    EXIT_CODES.misconfigured,
  ],
  [
    'a store of another user',
    place => {
      writeFileSync(storeFilePath(place), '', { mode: 0o400 });
      return {};
    },
    /^hostler: user \d+ cannot write to \/\S+\/hostler\.sqlite \(EACCES\); run this command as .*\n$/,
    EXIT_CODES.misconfigured,
  ],
  [
    'an unreachable PostgreSQL server',
    () => ({ HOSTLER_STORE: 'postgres://127.0.0.1:1/x', HOSTLER_SECRET_KEY: KEY }),
    /^hostler: cannot connect to the store: .+; check the setting store\n$/,
    EXIT_CODES.failed,
  ],
])('%s fails the start with one line', async (_case, prepare, line, status) => {
  const server = serveUnprivileged(prepare(folder));
  expect((await server.ended).code).toBe(status);
  expect(server.stderr).toMatch(line);
});
