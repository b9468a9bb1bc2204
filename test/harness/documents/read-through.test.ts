import { afterAll, describe, expect, test } from 'vitest';
import { writtenFolder } from '../written-folder.ts';
import type { Reading } from './read-through.ts';
import { readThrough } from './read-through.ts';
import { shellBlocks } from './shell-blocks.ts';

const DOCUMENT = `# A page

    not below any commands

\`\`\`sh
NAME=world
echo "hello $NAME"
\`\`\`

    hello world

Not what it prints:

    hello moon

\`\`\`json
    {"not": "shown"}
\`\`\`

\`\`\`sh
cat
echo "$NAME, 12s later"
\`\`\`

    world, 3m 1s later
`;

test('a block is what is fenced as sh, with what is shown right below', () => {
  expect(shellBlocks(DOCUMENT)).toEqual([
    { line: 6, text: 'NAME=world\necho "hello $NAME"', shown: 'hello world' },
    { line: 21, text: 'cat\necho "$NAME, 12s later"', shown: 'world, 3m 1s later' },
  ]);
});

describe('a document that is read through', () => {
  const { folder, write, remove } = writtenFolder({});
  afterAll(remove);

  const read = (text: string, reading: Reading = {}) => {
    write({ 'page.md': text });
    const terminal = { cwd: folder, environment: { PATH: process.env['PATH'] } };
    return readThrough('page.md', { terminal }, { checkout: folder, ...reading });
  };
  const page = (text: string, shown = '') => `\`\`\`sh\n${text}\n\`\`\`\n\n    ${shown}\n`;

  test('is typed block by block, in one shell, whose commands get no input', async () => {
    const lines: number[] = [];
    await read(DOCUMENT, { onTyped: ({ line }) => lines.push(line) });
    expect(lines).toEqual([6, 21]);
  });

  test.each([
    ['a command fails, also before others that do not', 'false\necho well', 'well', /failed with 1: false/],
    ['the shell ends', 'exit 3', '', /the shell has ended/],
    ['something else is said', 'echo yes', 'no', /^page.md:2: it does not say what is shown: no\nyes\n/],
    ['it is said to the standard error', 'echo yes >&2', 'no', /it does not say what is shown/],
    ['an answer is a refusal', `echo '{"type":"/docs#forbidden"}'`, '', /it was refused: forbidden/],
  ])('is wrong when %s', async (_what, text, shown, problem) => {
    await expect(read(page(text, shown))).rejects.toThrow(problem);
  });

  test('is wrong when a block takes too long', async () => {
    await expect(read(page('echo on; sleep 60'), { deadlineMs: 200 })).rejects.toThrow(/it said:\non\n/);
  });

  test.each<readonly [string, string, string, Reading]>([
    ['a failure has an answer in the document', 'false || echo "ended with $?"', 'ended with 1', {}],
    ['a condition is not met at first', 'until [ "$n" ]; do n=1; done; echo "$n"', '1', {}],
    ['something goes on in the background', 'sleep 60 & echo on', 'on', {}],
    ['a failure is foreseen', 'false', '', { rules: [{ has: 'false', failures: ['1: false'] }] }],
    [
      'it is left by Ctrl-C',
      'echo on; sleep 60',
      '',
      { rules: [{ has: 'on', leftAt: /on/, failures: ['130: sleep'] }] },
    ],
    ['it runs on beside', 'echo on; sleep 60', '', { rules: [{ has: 'on', beside: /on/ }] }],
    ['something is replaced, in what is shown too', 'echo HERE', 'HERE', { replaced: [['HERE', 'there']] }],
  ])('is right when %s', async (_what, text, shown, reading) => {
    await expect(read(page(text, shown), reading)).resolves.toBeUndefined();
  });

  test('is wrong when there is nothing to type', async () => {
    await expect(read('# A page\n')).rejects.toThrow('page.md has nothing to type');
  });

  test('has a block for each rule', async () => {
    await expect(read(page('true'), { rules: [{ has: 'false' }] })).rejects.toThrow(/no block with false/);
  });
});
