// Blocks that no test can type, with the reason, and what is checked of them instead.

import type { ShellBlock } from './shell-blocks.ts';

interface NotRun {
  readonly document: string;
  /** The whole block. */
  readonly text: string;
  readonly why: string;
}

const WHOLE_SUITE = 'a test cannot run all tests; that the scripts exist is tested with the documents';

export const NOT_RUN: readonly NotRun[] = [
  { document: 'README.md', text: 'npm run demo', why: 'docs/guides/demo.md has the same, and more' },
  { document: 'CONTRIBUTING.md', text: 'npm test', why: WHOLE_SUITE },
  { document: 'docs/adding/an-endpoint.md', text: 'npm run check\nnpm test', why: WHOLE_SUITE },
  { document: 'docs/adding/an-operation.md', text: 'npm run check\nnpm test', why: WHOLE_SUITE },
  {
    document: 'CONTRIBUTING.md',
    text: 'HOSTLER_CHAOS=<seed> HOSTLER_TEST_ALL=1 npx vitest run test/chaos/chaos.long.test.ts',
    why: 'a test within the tests would start servers beside its own; that the file is there, and reads the variable, is tested',
  },
  {
    document: 'CONTRIBUTING.md',
    text: 'HOSTLER_HISTORY=<seed> npx vitest run test/engine/operations/model-sqlite-1.test.ts',
    why: 'the same',
  },
];

export const isNotRun = (document: string, { text }: ShellBlock): boolean =>
  NOT_RUN.some(row => row.document === document && row.text === text);
