import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readRegularFile } from './files.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hostler-regular-'));
const at = (name: string) => path.join(directory, name);
afterAll(() => rmSync(directory, { recursive: true }));

writeFileSync(at('ten'), 'größe: 1');
writeFileSync(at('eleven'), 'größe: 10 ');
writeFileSync(at('empty'), '');
symlinkSync(at('ten'), at('link'));
execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', at('fifo')]);

describe('readRegularFile', () => {
  test.each([
    ['ten', 'größe: 1'],
    ['link', 'größe: 1'],
    ['empty', ''],
  ])('reads a small file: %s', async (name, content) => {
    expect(await readRegularFile(at(name), 10)).toBe(content);
  });

  test.each([
    ['a file that is too large', at('eleven'), 'is too large; the maximum is 10 bytes'],
    ['a large file without a size', '/proc/self/status', 'is too large; the maximum is 10 bytes'],
    ['a FIFO without a writer', at('fifo'), 'is not a regular file'],
    ['an endless device', '/dev/zero', 'is not a regular file'],
    ['a directory', directory, 'is not a regular file'],
    ['a missing file', at('missing'), 'cannot be read (ENOENT)'],
  ])('rejects %s', async (_case, file, reason) => {
    await expect(readRegularFile(file, 10)).rejects.toThrow(`${file} ${reason}`);
  });
});
