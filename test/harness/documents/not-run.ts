// Blocks that no test can type as they stand, with the reason, and the file that shows, by what it has, that they are true all the same.

import type { ShellBlock } from './shell-blocks.ts';

interface NotRun {
  readonly document: string;
  /** The first line of the block. */
  readonly first: string;
  readonly why: string;
  readonly shownBy: { readonly file: string; readonly has: string };
}

const SUITE = {
  why: 'a test cannot run all tests',
  shownBy: { file: 'package.json', has: '"test": "vitest run"' },
};
const ONE_FILE = 'a run within the run would start servers beside its own';

export const NOT_RUN: readonly NotRun[] = [
  {
    document: 'README.md',
    first: 'npm run demo',
    why: 'it is typed in the guide to the demo, which takes longer',
    shownBy: { file: 'docs/guides/demo.md', has: '```sh\nnpm run demo\n```' },
  },
  { document: 'CONTRIBUTING.md', first: 'npm test', ...SUITE },
  { document: 'docs/adding/an-endpoint.md', first: 'npm run check', ...SUITE },
  { document: 'docs/adding/an-operation.md', first: 'npm run check', ...SUITE },
  {
    document: 'CONTRIBUTING.md',
    first: 'HOSTLER_CHAOS=<seed> HOSTLER_TEST_ALL=1 npx vitest run test/chaos/chaos.long.test.ts',
    why: ONE_FILE,
    shownBy: { file: 'test/chaos/chaos.long.test.ts', has: "'HOSTLER_CHAOS'" },
  },
  {
    document: 'CONTRIBUTING.md',
    first: 'HOSTLER_HISTORY=<seed> npx vitest run test/engine/operations/model-sqlite-1.test.ts',
    why: ONE_FILE,
    shownBy: { file: 'test/engine/operations/model/play-seeds.ts', has: "'HOSTLER_HISTORY'" },
  },
  {
    document: 'CONTRIBUTING.md',
    first: 'HOSTLER_TEST_ALL=1 npx vitest run test/fuzz',
    why: ONE_FILE,
    shownBy: { file: 'vitest.config.ts', has: "'HOSTLER_TEST_ALL'" },
  },
  {
    document: 'docs/reference/what-grows.md',
    first: 'npm run test:soak',
    why: 'it takes half an hour, and a machine of its own; a test runs a short one',
    shownBy: { file: 'test/soak/soak.long.test.ts', has: "'test/soak/soak.ts'" },
  },
  {
    document: 'docs/guides/installing.md',
    first: 'docker build -t hostler -f contrib/container/Containerfile .',
    why: 'the base of the image is fetched from a registry; a test has one of its own making, and runs the container with the flags of the block',
    shownBy: {
      file: 'test/installing/container.long.test.ts',
      has: "blockOf('docs/guides/installing.md', 'docker run')",
    },
  },
  {
    document: 'docs/guides/backup.md',
    first: 'npx hostler admin after-restore',
    why: 'it is for PostgreSQL, and comes after a dump that was restored; the rest of the page is about the embedded store',
    shownBy: { file: 'test/process/backup-postgres.long.test.ts', has: "'after-restore'" },
  },
  {
    document: 'docs/guides/inventory.md',
    first: '#!/bin/sh',
    why: 'it is a file for Ansible, which is run with it',
    shownBy: { file: 'test/api/ansible-inventory.long.test.ts', has: 'docs/guides/inventory.md' },
  },
];

export const isNotRun = (document: string, { text }: ShellBlock): boolean =>
  NOT_RUN.some(row => row.document === document && text.split('\n')[0] === row.first);
