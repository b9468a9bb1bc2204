import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ShellSession } from './shell-session.ts';

const DEADLINE_MS = 10_000;

let session: ShellSession;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostler-session-'));
  session = new ShellSession({ folder, cwd: folder, environment: { PATH: process.env['PATH'] ?? '' } });
});
afterEach(async () => {
  await session.close();
  rmSync(folder, { recursive: true });
});

const typed = (text: string) => session.run(text, DEADLINE_MS);

test.each([
  ['echo a; echo b >&2; echo c', 'a\nb\nc\n', []],
  ['false\necho on', 'on\n', ['1: false']],
  ['f() { return 3; }; f; echo on', 'on\n', ['3: return 3']],
  ['false | cat', '', ['1: cat']],
  ['x=$(false)', '', ['1: false', '1: x=$(false)']],
  ['[ a = b ] || echo else', 'else\n', []],
  ['until false || true; do :; done', '', []],
  ['cat', '', []],
])('%s', async (text, output, failures) => {
  expect(await typed(text)).toMatchObject({ output });
  expect((await typed(text)).failures).toEqual(failures);
});

test('what a block defines is there for the next', async () => {
  await typed('greet() { echo "hello $1"; }\nNAME=you');
  expect((await typed('greet "$NAME"')).output).toBe('hello you\n');
});

test('Ctrl-C ends what runs, and not the shell', async () => {
  session.begin('echo begun; sleep 60');
  await session.says(/begun/, DEADLINE_MS);
  session.interrupt();
  expect((await session.end(DEADLINE_MS)).failures).toEqual(['130: sleep 60']);
  expect((await typed('echo still here')).output).toBe('still here\n');
});
