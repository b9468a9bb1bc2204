import type { TestProjectInlineConfiguration } from 'vitest/config';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowestFirstSequencer } from './test/harness/slowest-first-sequencer.ts';

/** Tests on whole systems take minutes; `npm run test:all` has them. */
const IS_LONG = Boolean(process.env['HOSTLER_TEST_ALL']);
const LONG = IS_LONG ? [] : ['**/*.long.test.ts'];

/** Each of these has a process of its own: they replace modules, or are about processes, connections, memory, browsers or real hosts. */
const APART = [
  'src/drivers/transport/{openssh,ssh}/**/*.test.ts',
  'src/http/connections/**/*.test.ts',
  'test/chaos/**/*.test.ts',
  'test/documents/quickstart.test.ts',
  'test/engine/operations/mutations.test.ts',
  'test/harness/!(fake-kubernetes)/**/*.test.ts',
  'test/hosts/**/*.test.ts',
  'test/process/**/*.test.ts',
  'test/web/**/*.test.ts',
  '**/*.long.test.ts',
];

/**
 * They measure how quick something is, or how little grows: one after the other, when all others are done. Browsers besides, since whole
 * systems come with networks of their own: a browser that sees one come or go gives up what it is loading.
 */
const ALONE = ['test/soak/**/*.long.test.ts', IS_LONG ? 'test/web/**/*.test.ts' : 'test/web/many-*.long.test.ts'];

/** What the dashboard calls the rooms that it may go into. */
const WEB_NAMES = [
  { find: /^#(sdk|contract)\//, replacement: `${import.meta.dirname}/src/$1/` },
  { find: '#vocabulary', replacement: `${import.meta.dirname}/src/domain/vocabulary.ts` },
];

const project = (
  name: string,
  options: Pick<
    NonNullable<TestProjectInlineConfiguration['test']>,
    'include' | 'exclude' | 'isolate' | 'maxWorkers' | 'sequence'
  >,
): TestProjectInlineConfiguration => ({
  resolve: { alias: WEB_NAMES },
  // A limit for tests that hang. On a busy machine a program that usually starts in one second can take a minute.
  test: { name, ...options, testTimeout: 240_000, hookTimeout: 240_000 },
});

export default defineConfig({
  test: {
    globalSetup: ['test/harness/stores/postgres.ts', 'test/harness/real-hosts/global-teardown.ts'],
    reporters: ['default', './test/harness/counts-reporter.ts'],
    // Many tests wait for real hosts and processes: two workers more than a two-core machine has cores keep it busy.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirstSequencer },
    projects: [
      project('apart', {
        include: APART,
        exclude: [...configDefaults.exclude, ...LONG, ...ALONE],
        isolate: true,
      }),
      // One process for many files: reading the modules of the service takes longer than most files do.
      project('together', {
        include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
        exclude: [...configDefaults.exclude, ...APART],
        isolate: false,
      }),
      project('alone', {
        include: ALONE,
        exclude: [...configDefaults.exclude, ...LONG],
        isolate: true,
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
