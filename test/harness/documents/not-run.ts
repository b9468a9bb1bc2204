// Blocks that no test can type as they stand, and examples that no block of their document gives, with the file that shows, by what it
// has, that they are true all the same.

import type { IndentedBlock, ShellBlock } from './shell-blocks.ts';

interface Shown {
  readonly document: string;
  readonly shownBy: { readonly file: string; readonly has: string };
}

interface NotRun extends Shown {
  /** The first line of the block. */
  readonly first: string;
  readonly why: string;
}

interface Example extends Shown {
  /** How it begins. */
  readonly begins: string;
}

const SUITE = {
  why: 'a test cannot run all tests',
  shownBy: { file: 'package.json', has: '"test": "vitest run"' },
};
const ONE_FILE = 'a run within the run would start servers beside its own';

const IN_DEMO = 'a test types the same block of the demo page';

export const NOT_RUN: readonly NotRun[] = [
  {
    document: 'README.md',
    first: 'npm start',
    why: 'a test types the same block of the quickstart',
    shownBy: { file: 'docs/getting-started/quickstart.md', has: '```sh\nnpm start\n```' },
  },
  {
    document: 'README.md',
    first: 'npm run demo',
    why: IN_DEMO,
    shownBy: { file: 'docs/getting-started/demo.md', has: '```sh\nnpm run demo\n```' },
  },
  {
    document: 'README.md',
    first: 'export HOSTLER_PASSWORD=demo',
    why: IN_DEMO,
    shownBy: {
      file: 'docs/getting-started/demo.md',
      has: '```sh\nexport HOSTLER_PASSWORD=demo\nnpx hostler cluster list\n',
    },
  },
  {
    document: 'README.md',
    first: 'npx hostler operation logs web 127.81.0.11',
    why: IN_DEMO,
    shownBy: {
      file: 'docs/getting-started/demo.md',
      has: 'npx hostler restart compute --max-unavailable 5 --min-healthy 3 --follow\n```',
    },
  },
  { document: 'CONTRIBUTING.md', first: 'npm test', ...SUITE },
  {
    document: 'docs/contributing/testing.md',
    first: 'HOSTLER_CHAOS=<seed> HOSTLER_TEST_ALL=1 npx vitest run test/chaos/chaos.long.test.ts',
    why: ONE_FILE,
    shownBy: { file: 'test/chaos/chaos.long.test.ts', has: "'HOSTLER_CHAOS'" },
  },
  {
    document: 'docs/contributing/testing.md',
    first: 'HOSTLER_HISTORY=<seed> npx vitest run test/engine/operations/model-sqlite-1.test.ts',
    why: ONE_FILE,
    shownBy: { file: 'test/engine/operations/model/run-seeds.ts', has: "'HOSTLER_HISTORY'" },
  },
  {
    document: 'docs/contributing/testing.md',
    first: 'HOSTLER_TEST_ALL=1 npx vitest run test/fuzz',
    why: ONE_FILE,
    shownBy: { file: 'vitest.config.ts', has: "'HOSTLER_TEST_ALL'" },
  },
  {
    document: 'docs/contributing/testing.md',
    first: 'npm run test:soak',
    why: 'it takes half an hour, and a machine of its own; a test runs a short one',
    shownBy: { file: 'test/soak/soak.long.test.ts', has: "'test/soak/soak.ts'" },
  },
  {
    document: 'docs/admin/install.md',
    first: 'docker build -t hostler -f contrib/container/Containerfile .',
    why: 'the base of the image is fetched from a registry; a test has one of its own making, and runs the container with the flags of the block',
    shownBy: {
      file: 'test/installing/container.long.test.ts',
      has: "blockOf('docs/admin/install.md', 'docker run')",
    },
  },
  ...[
    'systemd-run --pipe --wait --collect -p User=hostler -p UMask=0077 -p WorkingDirectory=/var/lib/hostler \\',
    'systemd-run --pipe --wait --collect --unit=hostler-command -p User=hostler -p UMask=0077 -p WorkingDirectory=/var/lib/hostler \\',
  ].map(first => ({
    document: 'docs/admin/install.md',
    first,
    why: 'it is for files that the page does not create; a test runs the same command as the same user',
    shownBy: {
      file: 'test/installing/systemd-unit.long.test.ts',
      has: "['doctor', '--config', '/etc/hostler/hostler.yaml']",
    },
  })),
  {
    document: 'docs/admin/install.md',
    first: 'FROM=https://nodejs.org/dist/latest-v24.x',
    why: 'it asks nodejs.org; a test types it with a server of its own in that place',
    shownBy: {
      file: 'test/documents/node.test.ts',
      has: "blockOf('docs/admin/install.md', 'nodejs.org')",
    },
  },
  {
    document: 'docs/admin/backup-and-restore.md',
    first: 'createdb --encoding UTF8 --template template0 --owner hostler hostler_restored',
    why: 'it is for PostgreSQL; the rest of the page is about the embedded store',
    shownBy: {
      file: 'test/process/backup-postgres.long.test.ts',
      has: "postgres('pg_restore', '--no-owner'",
    },
  },
  {
    document: 'docs/admin/backup-and-restore.md',
    first: 'npx hostler admin after-restore',
    why: 'it is for PostgreSQL, and comes after a dump that was restored; the rest of the page is about the embedded store',
    shownBy: { file: 'test/process/backup-postgres.long.test.ts', has: "'after-restore'" },
  },
  {
    document: 'docs/guides/inventories.md',
    first: '#!/bin/sh',
    why: 'it is a file for Ansible, which is run with it',
    shownBy: { file: 'test/api/ansible-inventory.long.test.ts', has: 'docs/guides/inventories.md' },
  },
];

export const isNotRun = (document: string, { text }: ShellBlock): boolean =>
  NOT_RUN.some(row => row.document === document && text.split('\n')[0] === row.first);

/** Drawings, which show nothing that is said. */
const DRAWN: readonly Pick<Example, 'document' | 'begins'>[] = [
  { document: 'docs/concepts/operations.md', begins: '127.0.0.1  ··██████████✗' },
];

export const EXAMPLES: readonly Example[] = [
  {
    document: 'docs/guides/run-operations.md',
    begins:
      '127.83.0.2 is unreachable (since 2026-11-16 12:03:05 UTC: connection refused) and uses the only slot (--max-unavailable 1). Exclude it?',
    shownBy: {
      file: 'test/cli/blocked-start.test.ts',
      has: ': connection refused) and uses the only slot (--max-unavailable 1). Exclude it? [y/N] ',
    },
  },
  {
    document: 'docs/guides/run-operations.md',
    begins:
      'hostler: restart of web was not started: 127.83.0.2 is unreachable (since 2026-11-16 12:03:05 UTC',
    shownBy: {
      file: 'test/cli/blocked-start.test.ts',
      has: '  --wait-for-hosts     wait up to 10m for this host',
    },
  },
  {
    document: 'docs/reference/api.md',
    begins: 'Link: </api/v0/hosts?limit=1&after=127.0.0.1>; rel="next"',
    shownBy: { file: 'test/api/host-list.test.ts', has: 'rel="next"' },
  },
  {
    document: 'docs/reference/events.md',
    begins: 'Hostler-Event: ',
    shownBy: { file: 'test/api/events.test.ts', has: "headers.get('hostler-event')" },
  },
  {
    document: 'docs/admin/audit-log.md',
    begins: 'hostler: the hash chain is broken: entry ',
    shownBy: { file: 'test/process/audit.test.ts', has: 'hostler: the hash chain is broken: entry ' },
  },
  {
    document: 'docs/guides/container-managers.md',
    begins: '"tasks":[{"kind":"bootstrap","attempts":1,"step":"join_container_manager"',
    shownBy: { file: 'src/procedures/run-commands.test.ts', has: 'missing_program: the host does not have ' },
  },
  {
    document: 'docs/admin/install.md',
    begins: '→ Overall exposure level for hostler.service: 1.3',
    shownBy: { file: 'test/installing/systemd-unit.test.ts', has: 'MOST_EXPOSED = 1.3' },
  },
];

export const isKnownExample = (document: string, { text }: IndentedBlock): boolean =>
  [...DRAWN, ...EXAMPLES].some(row => row.document === document && text.startsWith(row.begins));
