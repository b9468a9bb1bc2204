import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readTokenFile } from './token-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-token-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => path.join(folder, name);

test('readTokenFile returns the current content of the file', async () => {
  for (const token of ['first', 'second']) {
    writeFileSync(pathOf('token'), `${token}\n`);
    expect((await readTokenFile(pathOf('token'))).reveal()).toBe(token);
  }
});

writeFileSync(pathOf('two-lines'), 'hunter2\nhunter2');
writeFileSync(pathOf('large'), 'hunter2'.repeat(10_000));
execFileSync('mkfifo', [pathOf('pipe')]);

test.each([
  ['missing', 'cannot be read (ENOENT)'],
  ['pipe', 'is not a regular file'],
  ['large', 'is too large; the maximum is 65536 bytes'],
  ['two-lines', 'must contain a token'],
])('readTokenFile reports an error without quoting the content: %s', async (name, reason) => {
  await expect(readTokenFile(pathOf(name))).rejects.toThrow(`token_path: ${pathOf(name)} ${reason}`);
  await expect(readTokenFile(pathOf(name))).rejects.not.toThrow(/hunter2/);
});
