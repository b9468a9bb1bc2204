// Shell blocks that no test can run, and examples that are not the output of a block. `verifiedBy` names a
// file and a text in it that prove the block or example another way.

import type { IndentedBlock, ShellBlock } from './markdown.ts';

interface VerifiedElsewhere {
  readonly document: string;
  readonly verifiedBy: { readonly file: string; readonly contains: string };
}

interface SkippedBlock extends VerifiedElsewhere {
  /** First line of the block. */
  readonly firstLine: string;
  readonly reason: string;
}

interface Example extends VerifiedElsewhere {
  /** Start of the example. */
  readonly startsWith: string;
}

const WHOLE_SUITE = {
  reason: 'a test cannot run the test suite',
  verifiedBy: { file: 'package.json', contains: '"test": "vitest run"' },
};
const NESTED_RUN = 'a nested test run would start a second set of servers';

const RUN_IN_DEMO = 'a test runs the same block of the demo page';

export const SKIPPED_BLOCKS: readonly SkippedBlock[] = [
  {
    document: 'README.md',
    firstLine: 'npm start',
    reason: 'a test runs the same block of the quickstart',
    verifiedBy: { file: 'docs/getting-started/quickstart.md', contains: '```sh\nnpm start\n```' },
  },
  {
    document: 'README.md',
    firstLine: 'npm run demo',
    reason: RUN_IN_DEMO,
    verifiedBy: { file: 'docs/getting-started/demo.md', contains: '```sh\nnpm run demo\n```' },
  },
  {
    document: 'README.md',
    firstLine: 'export HOSTLER_PASSWORD=demo',
    reason: RUN_IN_DEMO,
    verifiedBy: {
      file: 'docs/getting-started/demo.md',
      contains: '```sh\nexport HOSTLER_PASSWORD=demo\nnpx hostler cluster list\n',
    },
  },
  {
    document: 'README.md',
    firstLine: 'npx hostler operation logs web 127.81.0.11',
    reason: RUN_IN_DEMO,
    verifiedBy: {
      file: 'docs/getting-started/demo.md',
      contains: 'npx hostler restart compute --max-unavailable 5 --min-healthy 3 --follow\n```',
    },
  },
  { document: 'CONTRIBUTING.md', firstLine: 'npm test', ...WHOLE_SUITE },
  {
    document: 'docs/contributing/testing.md',
    firstLine: 'HOSTLER_CHAOS=<seed> HOSTLER_TEST_ALL=1 npx vitest run test/chaos/chaos.long.test.ts',
    reason: NESTED_RUN,
    verifiedBy: { file: 'test/chaos/chaos.long.test.ts', contains: "'HOSTLER_CHAOS'" },
  },
  {
    document: 'docs/contributing/testing.md',
    firstLine: 'HOSTLER_HISTORY=<seed> npx vitest run test/engine/operations/model-sqlite-1.test.ts',
    reason: NESTED_RUN,
    verifiedBy: { file: 'test/engine/operations/model/run-seeds.ts', contains: "'HOSTLER_HISTORY'" },
  },
  {
    document: 'docs/contributing/testing.md',
    firstLine: 'HOSTLER_TEST_ALL=1 npx vitest run test/fuzz',
    reason: NESTED_RUN,
    verifiedBy: { file: 'test/harness/vitest/long-run.ts', contains: "'HOSTLER_TEST_ALL'" },
  },
  {
    document: 'docs/contributing/testing.md',
    firstLine: 'npm run test:soak',
    reason: 'it takes half an hour on a dedicated machine; a test runs a short soak',
    verifiedBy: { file: 'test/soak/soak.long.test.ts', contains: "'test/soak/soak.ts'" },
  },
  {
    document: 'docs/admin/install.md',
    firstLine: 'docker build -t hostler -f contrib/container/Containerfile .',
    reason:
      'the base image comes from a registry; a test builds its own base image and runs the container with the flags of the block',
    verifiedBy: {
      file: 'test/installing/container.long.test.ts',
      contains: "findBlock('docs/admin/install.md', 'docker run')",
    },
  },
  ...[
    'systemd-run --pipe --wait --collect -p User=hostler -p UMask=0077 -p WorkingDirectory=/var/lib/hostler \\',
    'systemd-run --pipe --wait --collect --unit=hostler-command -p User=hostler -p UMask=0077 -p WorkingDirectory=/var/lib/hostler \\',
  ].map(firstLine => ({
    document: 'docs/admin/install.md',
    firstLine,
    reason: 'it needs files that the page does not create; a test runs the same command as the same user',
    verifiedBy: {
      file: 'test/installing/systemd-unit.long.test.ts',
      contains: "['doctor', '--config', '/etc/hostler/hostler.yaml']",
    },
  })),
  {
    document: 'docs/admin/install.md',
    firstLine: 'FROM=https://nodejs.org/dist/latest-v24.x',
    reason: 'it downloads from nodejs.org; a test runs it against a local server',
    verifiedBy: {
      file: 'test/documents/node.integration.test.ts',
      contains: "findBlock('docs/admin/install.md', 'nodejs.org')",
    },
  },
  {
    document: 'docs/admin/backup-and-restore.md',
    firstLine: 'createdb --encoding UTF8 --template template0 --owner hostler hostler_restored',
    reason: 'it is for PostgreSQL; the rest of the page is about the embedded store',
    verifiedBy: {
      file: 'test/process/backup-postgres.long.test.ts',
      contains: "postgres('pg_restore', '--no-owner'",
    },
  },
  {
    document: 'docs/admin/backup-and-restore.md',
    firstLine: 'npx hostler admin after-restore',
    reason: 'it is for PostgreSQL after a restored dump; the rest of the page is about the embedded store',
    verifiedBy: { file: 'test/process/backup-postgres.long.test.ts', contains: "'after-restore'" },
  },
  {
    document: 'docs/guides/inventories.md',
    firstLine: '#!/bin/sh',
    reason: 'it is a file for Ansible, which is run with it',
    verifiedBy: { file: 'test/api/ansible-inventory.long.test.ts', contains: 'docs/guides/inventories.md' },
  },
];

export const isSkipped = (document: string, { text }: ShellBlock): boolean =>
  SKIPPED_BLOCKS.some(entry => entry.document === document && text.split('\n')[0] === entry.firstLine);

/** Diagrams are not output. */
const DIAGRAMS: readonly Pick<Example, 'document' | 'startsWith'>[] = [
  { document: 'docs/concepts/operations.md', startsWith: '127.0.0.1  ··██████████✗' },
];

export const EXAMPLES: readonly Example[] = [
  {
    document: 'docs/guides/run-operations.md',
    startsWith:
      '127.83.0.2 is unreachable (since 2026-11-16 12:03:05 UTC: connection refused) and uses the only slot (--max-unavailable 1). Exclude it?',
    verifiedBy: {
      file: 'test/cli/blocked-start.test.ts',
      contains: ': connection refused) and uses the only slot (--max-unavailable 1). Exclude it? [y/N] ',
    },
  },
  {
    document: 'docs/guides/run-operations.md',
    startsWith: 'hostler: restart of web was not started: 127.83.0.2 is unreachable (since 2026-11-16 12:03:05 UTC',
    verifiedBy: {
      file: 'test/cli/blocked-start.test.ts',
      contains: '  --wait-for-hosts     wait up to 10m for this host',
    },
  },
  {
    document: 'docs/reference/api.md',
    startsWith: 'Link: </api/v0/hosts?limit=1&after=127.0.0.1>; rel="next"',
    verifiedBy: { file: 'test/api/host-list.test.ts', contains: 'rel="next"' },
  },
  {
    document: 'docs/reference/events.md',
    startsWith: 'Hostler-Event: ',
    verifiedBy: { file: 'test/api/events.test.ts', contains: "headers.get('hostler-event')" },
  },
  {
    document: 'docs/admin/audit-log.md',
    startsWith: 'hostler: the hash chain is broken: entry ',
    verifiedBy: { file: 'test/process/audit.test.ts', contains: 'hostler: the hash chain is broken: entry ' },
  },
  {
    document: 'docs/guides/container-managers.md',
    startsWith: '"tasks":[{"kind":"bootstrap","attempts":1,"step":"join_container_manager"',
    verifiedBy: {
      file: 'src/procedures/run-commands.integration.test.ts',
      contains: 'missing_program: the host does not have ',
    },
  },
  {
    document: 'docs/admin/install.md',
    startsWith: '→ Overall exposure level for hostler.service: 1.3',
    verifiedBy: { file: 'test/installing/systemd-unit.test.ts', contains: 'MAX_EXPOSURE = 1.3' },
  },
];

export const isKnownExample = (document: string, { text }: IndentedBlock): boolean =>
  [...DIAGRAMS, ...EXAMPLES].some(entry => entry.document === document && text.startsWith(entry.startsWith));
