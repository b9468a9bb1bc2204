import { expect, test } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { commandScript } from '../../../src/drivers/transport/command-script.ts';
import { readLoginScript } from './read-login-script.ts';

test.each<[string, Argv, string, boolean, string | undefined]>([
  ['a word', ['true'], 'root', true, undefined],
  ['as root', ['cat', '/etc/shadow'], 'admin', true, undefined],
  ['empty words', ['printf', '', ''], 'root', false, undefined],
  ['quotes', ['echo', "it's", "'", "''a''"], 'admin', false, undefined],
  [
    'a script of many lines',
    ['sh', '-c', 'exec 2>&1\nprintf \'%s\\n\' "$1" </dev/null\n', 'sh', 'x y'],
    'root',
    true,
    undefined,
  ],
  ['a backslash', ['printf', "\\'\\\\n"], 'root', true, undefined],
  ['something to read', ['tee', 'token'], 'root', true, 'one\ntwo\n'],
])('a login script with %s is read as it was meant', (_what, argv, user, asRoot, input) => {
  const script = commandScript(
    argv,
    { user, asRoot },
    'abc123',
    input === undefined ? undefined : new Secret(input),
  );
  expect(readLoginScript(script)).toEqual({ mark: 'abc123', argv, asRoot: asRoot && user !== 'root', input });
});

test.each(['', 'reboot\n', "printf '%s\\n' abc\nexec 'true' | sh\n"])('%j is no login script', script => {
  expect(readLoginScript(script)).toBeUndefined();
});
