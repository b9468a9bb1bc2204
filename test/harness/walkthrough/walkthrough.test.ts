import { describe, expect, test } from 'vitest';
import { missingLine } from './missing-line.ts';
import { playWalkthrough } from './play-walkthrough.ts';
import { readWalkthrough } from './read-walkthrough.ts';

const DOCUMENT = `# A page

    not below any commands

\`\`\`sh
NAME=world
echo "hello $NAME"
\`\`\`

It greets:

    hello world

\`\`\`json
    {"not": "shown"}
\`\`\`

\`\`\`sh
cat
echo "$NAME, 12s later"
\`\`\`

    world, 3m 1s later
`;

const play = (text: string) => playWalkthrough(text, { shell: ['bash'], cwd: '/', env: process.env });
const page = (script: string, shown = '') => `\`\`\`sh\n${script}\n\`\`\`\n\n    ${shown}\n`;

describe('a walkthrough', () => {
  test('has the commands of a document, each with what is shown below', () => {
    expect(readWalkthrough(DOCUMENT)).toEqual([
      { line: 6, script: 'NAME=world\necho "hello $NAME"', shown: ['hello world'] },
      { line: 19, script: 'cat\necho "$NAME, 12s later"', shown: ['world, 3m 1s later'] },
    ]);
  });

  test('is played in one shell, whose commands get no input', async () => {
    await expect(play(DOCUMENT)).resolves.toBeUndefined();
  });

  test.each([
    ['a command fails, also before others that do not', 'false\necho well', 'well', /this failed: false/],
    ['the shell ends', 'exit 3', '', /this failed: the block/],
    [
      'something else is printed',
      'echo yes',
      'no',
      /^line 2:\necho yes\n\nthis was not printed: no\n\nyes\n$/,
    ],
    ['it is printed to the standard error', 'echo yes >&2', 'no', /this was not printed/],
  ])('is over when %s', async (_what, script, shown, problem) => {
    await expect(play(page(script, shown))).rejects.toThrow(problem);
  });

  test.each([
    ['a failure that the document has an answer to', 'false || echo "it ended with $?"', 'it ended with 1'],
    ['a condition that is not met at first', 'until [ "$n" ]; do n=1; done; echo "$n"', '1'],
    ['what goes on in the background', 'sleep 1 & echo on', 'on'],
  ])('goes on after %s', async (_what, script, shown) => {
    await expect(play(page(script, shown))).resolves.toBeUndefined();
  });
});

describe('what is shown is held against what was printed', () => {
  const PRINTED =
    'id:   aB3_x\n2026-11-16T08:50:58Z  one done, in 1m 4s\n\n  two (really?) done\nthree done\n';

  test.each([
    ['nothing', [], undefined],
    ['lines in their order, with others between', ['…', 'two (really?) done', 'three done'], undefined],
    ['another time, other spaces', ['2020-01-01T00:00:00Z one  done, in 3s'], undefined],
    ['anything in the middle of a line', ['id: …', '…one done, …'], undefined],
    ['lines in another order', ['three done', 'two (really?) done'], 'two (really?) done'],
    ['a line twice that is there once', ['three done', 'three done'], 'three done'],
    ['a part of a line', ['three'], 'three'],
  ])('%s', (_what, shown, missing) => {
    expect(missingLine(shown, PRINTED)).toBe(missing);
  });
});
