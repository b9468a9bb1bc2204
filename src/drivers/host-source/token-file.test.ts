import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readTokenFile } from './token-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-token-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => path.join(folder, name);

test('a token is the line that its file holds at the time', async () => {
  for (const token of ['first', 'second']) {
    writeFileSync(at('token'), `${token}\n`);
    expect((await readTokenFile(at('token'))).reveal()).toBe(token);
  }
});

writeFileSync(at('two-lines'), 'hunter2\nhunter2');
writeFileSync(at('large'), 'hunter2'.repeat(10_000));
execFileSync('mkfifo', [at('pipe')]);

test.each([
  ['nowhere', 'cannot be read (ENOENT)'],
  ['pipe', 'is not a regular file'],
  ['large', 'is too large; the maximum is 65536 bytes'],
  ['two-lines', 'must contain a token'],
])('a token that cannot be read is told without a word of it: %s', async (name, why) => {
  await expect(readTokenFile(at(name))).rejects.toThrow(`token_path: ${at(name)} ${why}`);
  await expect(readTokenFile(at(name))).rejects.not.toThrow(/hunter2/);
});
