import { afterEach, beforeEach, expect, test } from 'vitest';
import { processesNaming } from '../programs/processes-naming.ts';
import { until } from '../until.ts';
import { ShellSession } from './shell-session.ts';

const DEADLINE_MS = 10_000;

let session: ShellSession;
beforeEach(() => {
  session = new ShellSession({ cwd: '/', environment: { PATH: process.env['PATH'] }, pressedAgainMs: 50 });
});
afterEach(() => session.close());

const typed = (text: string) => session.run(text, DEADLINE_MS);

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
])('%s', async (text, output, failures) => {
  expect(await typed(text)).toEqual({ output, failures });
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
  expect(await typed('sleep 0.3; echo still here')).toEqual({ output: 'still here\n', failures: [] });
});

test('a block that ends the shell is told', async () => {
  await expect(typed('echo bye; exit 3')).rejects.toThrow('the shell has ended:\nbye\n');
});

test('what runs in the background holds nothing up, and ends with the shell', async () => {
  const { output } = await typed('sleep 60.25 > /dev/null & echo on');
  expect(output).toBe('on\n');
  expect(processesNaming('60.25')).not.toEqual([]);
  await session.close();
  await until('it is gone', () => processesNaming('60.25').length === 0);
});
