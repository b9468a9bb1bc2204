import { availableParallelism } from 'node:os';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowestFirstSequencer } from './test/harness/slowest-first-sequencer.ts';

/** Long tests run only with `npm run test:all`. */
const IS_LONG_RUN = Boolean(process.env['HOSTLER_TEST_ALL']);
const LONG = '**/*.long.test.ts';
const EXCLUDED = [...configDefaults.exclude, ...(IS_LONG_RUN ? [] : [LONG])];

/** Tests without processes, ports and databases. */
const UNIT = ['{src,web/src,test/harness}/**/*.test.ts', 'test/*.test.ts'];
const NOT_UNIT = ['**/*.integration.test.ts', LONG];

/** Each of these files has its own process: it replaces modules, or measures memory or whole systems. */
const ISOLATED = ['test/chaos/**/*.test.ts', 'test/engine/operations/mutations.test.ts', LONG];

/**
 * These files run after all others, one at a time: they measure speed or growth. In long runs this includes all browser
 * tests, because a browser aborts its requests when another test adds or removes a network interface.
 */
const SEQUENTIAL = ['test/soak/**/*.long.test.ts', ...(IS_LONG_RUN ? ['test/web/**/*.test.ts'] : [])];

/** Import aliases of the dashboard. */
const WEB_ALIASES = [
  { find: /^#(sdk|contract)\//, replacement: `${import.meta.dirname}/src/$1/` },
  { find: '#vocabulary', replacement: `${import.meta.dirname}/src/domain/vocabulary.ts` },
];

type ProjectOptions = NonNullable<TestProjectInlineConfiguration['test']>;

const project = (options: ProjectOptions): TestProjectInlineConfiguration => ({
  resolve: { alias: WEB_ALIASES },
  // A limit for tests that hang. On a busy machine a program that usually starts in one second can take a minute.
  test: { testTimeout: 240_000, hookTimeout: 240_000, ...options },
});

const integrationProject = (options: ProjectOptions): TestProjectInlineConfiguration =>
  project({
    globalSetup: ['test/harness/stores/postgres.ts', 'test/harness/real-hosts/global-teardown.ts'],
    // Many tests wait for hosts and processes, so more workers than cores keep the machine busy.
    maxWorkers: 3 * availableParallelism(),
    ...options,
  });

export default defineConfig({
  test: {
    reporters: ['default', './test/harness/counts-reporter.ts'],
    sequence: { sequencer: SlowestFirstSequencer },
    projects: [
      project({
        name: 'unit',
        include: UNIT,
        exclude: [...EXCLUDED, ...NOT_UNIT],
        setupFiles: ['test/harness/unit-test-guard.ts'],
        // Loading the modules takes longer than most files.
        isolate: false,
        maxWorkers: availableParallelism(),
      }),
      integrationProject({
        name: 'isolated',
        include: ISOLATED,
        exclude: [...EXCLUDED, ...SEQUENTIAL],
        isolate: true,
        sequence: { groupOrder: 1 },
      }),
      integrationProject({
        name: 'integration',
        include: ['{src,test,web/src}/**/*.integration.test.ts', 'test/*/**/*.test.ts'],
        exclude: [...EXCLUDED, ...ISOLATED, ...SEQUENTIAL, 'test/harness/**/!(*.integration).test.ts'],
        isolate: false,
        sequence: { groupOrder: 1 },
      }),
      integrationProject({
        name: 'sequential',
        include: SEQUENTIAL,
        exclude: EXCLUDED,
        isolate: true,
        maxWorkers: 1,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});
