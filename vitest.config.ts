import { availableParallelism } from 'node:os';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { configDefaults, defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from './test/harness/programs/process.ts';
import { FileOrderSequencer } from './test/harness/vitest/file-order-sequencer.ts';
import { IS_LONG_RUN } from './test/harness/vitest/long-run.ts';

// The workers inherit it.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE;

/** Long tests run only with `npm run test:all`. */
const LONG = '**/*.long.test.ts';
const EXCLUDED = [...configDefaults.exclude, ...(IS_LONG_RUN ? [] : [LONG])];

/** Tests without processes, ports and PostgreSQL. */
const UNIT = ['{src,test/{documents,fuzz,harness}}/**/*.test.ts', 'test/*.test.ts'];
const NOT_UNIT = ['**/*.integration.test.ts', LONG];

/** Unit tests of the dashboard, whose sources need Vite. */
const WEB_UNIT = ['web/src/**/*.test.ts'];

/** Files with their own process, because they replace modules or test whole systems. */
const ISOLATED = ['test/chaos/**/*.test.ts', 'test/engine/operations/mutations.test.ts', LONG];

/** Measure growth or frames. In a long run they run one at a time after all others. */
const MEASUREMENTS = IS_LONG_RUN ? ['test/soak/**/*.long.test.ts', 'test/web/large-*.long.test.ts'] : [];

/**
 * In a long run browser tests run after most others: a browser aborts its requests when another test adds or removes
 * a network interface.
 */
const IN_BROWSER = IS_LONG_RUN ? ['test/web/**/*.test.ts'] : [];

const RUN_LATER = [...MEASUREMENTS, ...IN_BROWSER];

/** Import aliases of the dashboard. */
const WEB_ALIASES = [
  { find: /^#(sdk|contract)\//, replacement: `${import.meta.dirname}/src/$1/` },
  { find: '#vocabulary', replacement: `${import.meta.dirname}/src/domain/vocabulary.ts` },
];

/** Many tests wait for hosts and processes, so more workers than cores keep the machine busy. */
const MAX_WORKERS = 3 * availableParallelism();

type ProjectOptions = NonNullable<TestProjectInlineConfiguration['test']>;

const project = (options: ProjectOptions): TestProjectInlineConfiguration => ({
  // A limit for tests that hang. On a busy machine a program that usually starts in one second can take a minute.
  test: {
    maxWorkers: MAX_WORKERS,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Node loads the sources, as in a checkout. This is faster than the module loader of Vite.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    ...options,
    expect: { poll: { timeout: 20_000 } },
    // The default of 40 hides the values in which two rows of a table differ.
    taskTitleValueFormatTruncate: 120,
    setupFiles: ['test/harness/vitest/property-seed.ts', ...[options.setupFiles ?? []].flat()],
  },
});

const UNIT_OPTIONS: ProjectOptions = {
  exclude: [...configDefaults.exclude, ...NOT_UNIT],
  setupFiles: ['test/harness/vitest/unit-test-guard.ts'],
  // Loading the modules takes longer than most files.
  isolate: false,
};

const integrationProject = (options: ProjectOptions): TestProjectInlineConfiguration =>
  project({
    globalSetup: [
      'test/harness/stores/postgres.ts',
      'test/harness/real-hosts/global-teardown.ts',
      'test/harness/programs/built-package.ts',
    ],
    setupFiles: ['test/harness/vitest/request-log-setup.ts'],
    runner: './test/harness/vitest/request-log-runner.ts',
    ...options,
  });

export default defineConfig({
  test: {
    reporters: [
      'default',
      ...(IS_LONG_RUN ? ['./test/harness/vitest/promise-reporter.ts'] : []),
      './test/harness/vitest/counts-reporter.ts',
    ],
    sequence: { sequencer: FileOrderSequencer },
    projects: [
      project({ ...UNIT_OPTIONS, name: 'unit', include: UNIT }),
      {
        ...project({ ...UNIT_OPTIONS, name: 'web', include: WEB_UNIT, experimental: {} }),
        resolve: { alias: WEB_ALIASES },
      },
      integrationProject({
        name: 'isolated',
        include: ISOLATED,
        exclude: [...EXCLUDED, ...RUN_LATER],
        isolate: true,
        // With the loader of Vitest, which can replace modules.
        experimental: { viteModuleRunner: false },
      }),
      integrationProject({
        name: 'integration',
        include: ['{src,test,web/src}/**/*.integration.test.ts', 'test/*/**/*.test.ts'],
        exclude: [...EXCLUDED, ...ISOLATED, ...RUN_LATER, 'test/{documents,fuzz,harness}/**/!(*.integration).test.ts'],
        isolate: false,
      }),
      ...(IS_LONG_RUN
        ? [
            integrationProject({
              name: 'browser',
              include: IN_BROWSER,
              exclude: [...configDefaults.exclude, ...MEASUREMENTS],
              isolate: false,
              sequence: { groupOrder: 1 },
            }),
            integrationProject({
              name: 'measurements',
              include: MEASUREMENTS,
              isolate: true,
              maxWorkers: 1,
              sequence: { groupOrder: 2 },
            }),
          ]
        : []),
    ],
  },
});
