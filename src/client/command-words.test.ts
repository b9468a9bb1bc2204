import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandText, readCommand, shownCommand } from './command-words.ts';

test.each([
  [['systemctl', 'restart', 'a@1.service'], 'systemctl restart a@1.service'],
  [['sh', '-c', 'a b'], "sh -c 'a b'"],
  [['echo', "it's", ''], "echo 'it'\\''s' ''"],
])('%j is shown as %s', (argv, shown) => {
  expect(shownCommand(argv)).toBe(shown);
});

test.each([
  ['  curl  -fsS\thttp://127.0.0.1 ', ['curl', '-fsS', 'http://127.0.0.1']],
  [' ["sh", "-c", "a b"]', ['sh', '-c', 'a b']],
  ['[1]', undefined],
  ['["sh"', undefined],
])('%j is read as %j', (text, argv) => {
  expect(readCommand(text)).toEqual(argv);
});

test('what is written for a command is read as the same command', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom('[', '[x', ' ', '', '"', '\u2028'));
  fc.assert(
    fc.property(fc.array(word), argv => {
      expect(readCommand(commandText(argv))).toEqual(argv);
    }),
  );
});
