import { expect, test } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { commandScript } from '../../../src/drivers/transport/command-script.ts';
import { parseLoginScript } from './parse-login-script.ts';

test.each<[string, Argv, string, boolean, string | undefined]>([
  ['a word', ['true'], 'root', true, undefined],
  ['a command as root', ['cat', '/etc/shadow'], 'admin', true, undefined],
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
  ['input', ['tee', 'token'], 'root', true, 'one\ntwo\n'],
])('parseLoginScript parses a script with %s', (_case, argv, user, asRoot, input) => {
  const script = commandScript(argv, { user, asRoot }, 'abc123', input === undefined ? undefined : new Secret(input));
  expect(parseLoginScript(script)).toEqual({
    mark: 'abc123',
    argv,
    asRoot: asRoot && user !== 'root',
    input,
  });
});

test.each(['', 'reboot\n', "printf '%s\\n' abc\nexec 'true' | sh\n"])('parseLoginScript rejects %j', script => {
  expect(parseLoginScript(script)).toBeUndefined();
});
