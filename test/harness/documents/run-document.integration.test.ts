import { afterAll, describe, expect, test } from 'vitest';
import { createTempFolder } from '../temp-folders.ts';
import { shellBlocks } from './markdown.ts';
import type { DocumentOptions } from './run-document.ts';
import { runDocument } from './run-document.ts';

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

test('shellBlocks returns blocks fenced as sh with the indented output below them', () => {
  expect(shellBlocks(DOCUMENT)).toEqual([
    { line: 6, text: 'NAME=world\necho "hello $NAME"', expected: 'hello world' },
    { line: 21, text: 'cat\necho "$NAME, 12s later"', expected: 'world, 3m 1s later' },
  ]);
});

describe('runDocument', () => {
  const { folder, write, remove } = createTempFolder({});
  afterAll(remove);

  const run = (text: string, options: DocumentOptions = {}) => {
    write({ 'page.md': text });
    const terminal = { cwd: folder, environment: { PATH: process.env['PATH'] } };
    return runDocument('page.md', { terminal }, { checkout: folder, ...options });
  };
  const page = (text: string, expected = '') => `\`\`\`sh\n${text}\n\`\`\`\n\n    ${expected}\n`;

  test('runs the blocks in one shell without input', async () => {
    const lines: number[] = [];
    await run(DOCUMENT, { onBlock: ({ line }) => lines.push(line) });
    expect(lines).toEqual([6, 21]);
  });

  test.each([
    ['a command fails before commands that succeed', 'false\necho well', 'well', /failed with 1: false/],
    ['the shell exits', 'exit 3', '', /the shell has exited/],
    ['the output differs', 'echo yes', 'no', /^page.md:2: missing in the output: no\nyes\n/],
    ['standard error differs', 'echo yes >&2', 'no', /missing in the output/],
    ['a response is an error', `echo '{"type":"/docs#forbidden"}'`, '', /unexpected error code: forbidden/],
  ])('fails if %s', async (_case, text, expected, error) => {
    await expect(run(page(text, expected))).rejects.toThrow(error);
  });

  test('fails if a block exceeds its deadline', async () => {
    await expect(run(page('echo on; sleep 60'), { deadlineMs: 200 })).rejects.toThrow(/output:\non\n/);
  });

  test.each<readonly [string, string, string, DocumentOptions]>([
    ['the block handles a failure', 'false || echo "ended with $?"', 'ended with 1', {}],
    ['a loop waits for a condition', 'until [ "$n" ]; do n=1; done; echo "$n"', '1', {}],
    ['a background job keeps running', 'sleep 60 & echo on', 'on', {}],
    ['a rule expects the failure', 'false', '', { rules: [{ contains: 'false', failures: ['1: false'] }] }],
    [
      'a rule interrupts it with Ctrl-C',
      'echo on; sleep 60',
      '',
      { rules: [{ contains: 'on', interruptAt: /on/, failures: ['130: sleep'] }] },
    ],
    [
      'a rule runs it in the background',
      'echo on; sleep 60',
      '',
      { rules: [{ contains: 'on', backgroundUntil: /on/ }] },
    ],
    [
      'a substitution applies to commands and expected output',
      'echo HERE',
      'HERE',
      { substitutions: [['HERE', 'there']] },
    ],
  ])('succeeds if %s', async (_case, text, expected, options) => {
    await expect(run(page(text, expected), options)).resolves.toBeUndefined();
  });

  test('fails if the document has no block', async () => {
    await expect(run('# A page\n')).rejects.toThrow('page.md has no shell block');
  });

  test('fails if a rule matches no block', async () => {
    await expect(run(page('true'), { rules: [{ contains: 'false' }] })).rejects.toThrow(/no block with false/);
  });
});
