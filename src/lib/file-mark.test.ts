import { mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../../test/harness/until.ts';
import { fileMark } from './file-mark.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-mark-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'file');
const other = path.join(folder, 'other');

function write(place: string, content: string): void {
  writeFileSync(place, content);
  utimesSync(place, 1, 1);
}

test('a file that nobody touches keeps its mark', async () => {
  write(file, 'a');
  expect(await fileMark(file)).toBe(await fileMark(file));
});

test('one that is missing has none', async () => {
  await expect(fileMark(path.join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each<[string, () => void]>([
  ['written with another size', () => write(file, 'ab')],
  ['overwritten with its size and its time kept', () => write(file, 'b')],
  [
    'replaced by another of its size and its time',
    () => {
      write(other, 'b');
      renameSync(other, file);
    },
  ],
  [
    'exchanged through a symbolic link',
    () => {
      write(other, 'b');
      rmSync(file);
      symlinkSync(other, file);
    },
  ],
])('one that is %s has another', async (_how, change) => {
  rmSync(file, { force: true });
  write(file, 'a');
  const before = await fileMark(file);
  // The clock of a file system moves in steps of milliseconds.
  await until('another mark', async () => {
    change();
    return (await fileMark(file)) !== before;
  });
});
