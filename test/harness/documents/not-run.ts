// Blocks that no test can type as they stand, with the reason, and the file that shows, by what it has, that they are true all the same.

import type { ShellBlock } from './shell-blocks.ts';

interface NotRun {
  readonly document: string;
  /** The whole block. */
  readonly text: string;
  readonly why: string;
  readonly insteadOf: { readonly file: string; readonly has: string };
}

const SUITE = {
  why: 'a test cannot run all tests',
  insteadOf: { file: 'package.json', has: '"test": "vitest run"' },
};
const ONE_FILE = 'a run within the run would start servers beside its own';

export const NOT_RUN: readonly NotRun[] = [
  {
    document: 'README.md',
    text: 'npm run demo',
    why: 'it is typed in the guide to the demo, which takes longer',
    insteadOf: { file: 'docs/guides/demo.md', has: '```sh\nnpm run demo\n```' },
  },
  { document: 'CONTRIBUTING.md', text: 'npm test', ...SUITE },
  { document: 'docs/adding/an-endpoint.md', text: 'npm run check\nnpm test', ...SUITE },
  { document: 'docs/adding/an-operation.md', text: 'npm run check\nnpm test', ...SUITE },
  {
    document: 'CONTRIBUTING.md',
    text: 'HOSTLER_CHAOS=<seed> HOSTLER_TEST_ALL=1 npx vitest run test/chaos/chaos.long.test.ts',
    why: ONE_FILE,
    insteadOf: { file: 'test/chaos/chaos.long.test.ts', has: "'HOSTLER_CHAOS'" },
  },
  {
    document: 'CONTRIBUTING.md',
    text: 'HOSTLER_HISTORY=<seed> npx vitest run test/engine/operations/model-sqlite-1.test.ts',
    why: ONE_FILE,
    insteadOf: { file: 'test/engine/operations/model-sqlite-1.test.ts', has: 'model' },
  },
];

export const isNotRun = (document: string, { text }: ShellBlock): boolean =>
  NOT_RUN.some(row => row.document === document && row.text === text);
