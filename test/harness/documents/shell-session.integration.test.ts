import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProcesses } from '../programs/proc-files.ts';
import { waitUntil } from '../wait-until.ts';
import { ShellSession } from './shell-session.ts';

const DEADLINE_MS = 10_000;

let session: ShellSession;
beforeEach(() => {
  session = new ShellSession({
    cwd: '/',
    environment: { PATH: process.env['PATH'] },
    interruptIntervalMs: 50,
  });
});
afterEach(() => session.close());

const run = (text: string) => session.run(text, DEADLINE_MS);

test.each([
  ['echo a; echo b >&2; echo c', 'a\nb\nc\n', []],
  ['printf "no end of line"', 'no end of line', []],
  ['false\necho on', 'on\n', ['1: false']],
  ['f() { return 3; }; f; echo on', 'on\n', ['3: return 3']],
  ['false | cat', '', ['1: cat']],
  ['x=$(false)', '', ['1: false', '1: x=$(false)']],
  ['false > /dev/null', '', ['1: false > /dev/null']],
  ["[ 'a\nb' = c ]", '', ["1: [ 'a b' = c ]"]],
  ['[ a = b ] || echo else', 'else\n', []],
  ['until false || true; do :; done', '', []],
  ['until [ "$(false | wc -l)" = 0 ]; do :; done', '', []],
  ["cat <<'END'\n$(a) `b` \"c' (\nEND", '$(a) `b` "c\' (\n', []],
  ['cat', '', []],
])('ShellSession runs %s', async (text, output, failures) => {
  expect(await run(text)).toEqual({ output, failures });
});

test('ShellSession keeps functions and variables for the next block', async () => {
  await run('greet() { echo "hello $1"; }\nNAME=you');
  expect((await run('greet "$NAME"')).output).toBe('hello you\n');
});

test('ShellSession.interrupt ends the running command but not the shell', async () => {
  session.start('echo begun; sleep 60');
  await session.waitForOutput(/begun/, DEADLINE_MS);
  session.interrupt();
  expect((await session.waitForEnd(DEADLINE_MS)).failures).toEqual(['130: sleep 60']);
  expect(await run('sleep 0.3; echo still here')).toEqual({ output: 'still here\n', failures: [] });
});

test('ShellSession throws if a block exits the shell', async () => {
  await expect(run('echo bye; exit 3')).rejects.toThrow('the shell has exited:\nbye\n');
});

test('ShellSession does not wait for background jobs, and close ends them', async () => {
  const { output } = await run('sleep 60.25 > /dev/null & echo on');
  expect(output).toBe('on\n');
  await waitUntil('sleep runs', () => findProcesses('60.25').length > 0);
  await session.close();
  await waitUntil('sleep has ended', () => findProcesses('60.25').length === 0);
});
