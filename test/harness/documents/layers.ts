export interface Layer {
  readonly values: readonly string[];
  readonly types?: readonly string[];
  /** A further rule. */
  readonly but?: string;
}

/** The content of each module, and what it may import; `types` only as types. docs/contributing/architecture.md shows this table. */
export const LAYERS: Readonly<Record<string, Layer & { readonly content: string }>> = {
  bin: {
    content: 'The program. Checks the version of Node and starts a client or a server command',
    values: ['cli', 'server', 'package.json'],
    but: 'a client command never loads the server',
  },
  server: {
    content:
      '`start-service.ts` connects all modules. Also: settings, TLS, metrics, traces, backup, the server commands, the demo',
    values: [
      'app',
      'cli/program.ts',
      'contract',
      'domain',
      'drivers',
      'engine',
      'events',
      'http',
      'integrations',
      'lib',
      'procedures',
      'secrets',
      'simulator',
      'store',
    ],
  },
  cli: {
    content: 'Client commands',
    values: ['sdk', 'contract', 'domain/vocabulary.ts', 'domain/defaults.ts', 'lib', 'cli/program.ts'],
  },
  web: {
    content: 'The dashboard, a separate package. Vite builds it into `dist/web`',
    values: ['sdk', 'contract', 'domain/vocabulary.ts'],
    but: 'by their paths, or as `#sdk/`, `#contract/` and `#vocabulary`',
  },
  sdk: {
    content: 'HTTP client and event follower, for the command line and the dashboard',
    values: ['contract', 'domain/vocabulary.ts'],
  },
  'cli/program.ts': {
    content: 'Exit codes, usage errors and names of commands, for client and server commands',
    values: [],
  },
  http: {
    content: 'HTTP server: connections, requests, routes, views, responses, errors, dashboard',
    values: ['contract', 'domain', 'lib'],
    types: ['app'],
  },
  contract: {
    content: 'The API: one definition for each route. The OpenAPI document is generated from it',
    values: ['domain/vocabulary.ts', 'domain/defaults.ts'],
  },
  app: {
    content: 'Use cases, one folder for each kind of record',
    values: ['domain', 'secrets', 'lib'],
    types: ['store', 'drivers'],
  },
  engine: {
    content: 'Runs tasks and health checks on hosts, through the transports of `drivers`',
    values: ['domain', 'procedures', 'secrets', 'lib'],
    types: ['store', 'drivers'],
  },
  procedures: {
    content: 'The lists of steps that a task runs on a host. They do not write to the store',
    values: ['domain', 'lib'],
    types: ['drivers'],
  },
  events: {
    content: 'The event log: sequencer, hash chain, pruning, readers, webhooks',
    values: ['domain', 'lib'],
    types: ['store'],
  },
  drivers: {
    content: 'Container managers, host sources, networks, operating systems and transports',
    values: ['integrations', 'domain', 'lib'],
    but: 'a driver never imports another driver',
  },
  simulator: {
    content: 'Simulated hosts with faults and virtual power, for the demo, the tests and the benchmarks',
    values: ['drivers', 'procedures', 'domain', 'lib'],
  },
  integrations: {
    content: 'Clients of other systems: Kubernetes, etcd, Docker, webhook receivers',
    values: ['domain', 'lib'],
  },
  store: { content: 'Schema, lock order and queries for SQLite and PostgreSQL', values: ['domain', 'lib'] },
  secrets: { content: 'Encryption of secrets', values: ['domain', 'lib'] },
  domain: {
    content:
      'Types and pure rules: `rollout/` for operations, `tasks/` for tasks, `health-check.ts` for health checks',
    values: ['lib', 'domain/vocabulary.ts', 'domain/defaults.ts'],
  },
  'domain/defaults.ts': { content: 'Documented defaults', values: [] },
  'domain/vocabulary.ts': { content: 'Enumerated values, such as statuses and roles', values: [] },
  lib: { content: 'Logging, validation, time and text, without domain terms', values: [] },
};

const SHARED_ROOMS = ['operations', 'hosts', 'enrolment', 'policy', 'clusters', 'events'];

/** What each folder of the dashboard may import of the others; `main.tsx` may import all. */
export const WEB_ROOMS: Readonly<Record<string, Layer>> = {
  app: { values: ['pages', ...SHARED_ROOMS, 'live', 'auth', 'api', 'ui'] },
  pages: { values: [...SHARED_ROOMS, 'live', 'auth', 'api', 'ui'], but: 'never another page' },
  ...Object.fromEntries(
    SHARED_ROOMS.map(room => [
      room,
      { values: [...SHARED_ROOMS.filter(other => other !== room), 'live', 'auth', 'api', 'ui'] },
    ]),
  ),
  auth: { values: ['live', 'api', 'ui'] },
  live: { values: ['api', 'ui'] },
  api: { values: [] },
  ui: { values: [], but: 'of `src/` only `sdk` and `domain/vocabulary.ts`' },
};
