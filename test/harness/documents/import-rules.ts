import { code, table } from './markdown.ts';

export interface Layer {
  readonly values: readonly string[];
  readonly types?: readonly string[];
  /** An additional rule. */
  readonly exception?: string;
}

/**
 * Content and allowed imports of each module; `types` allows type imports only.
 * docs/architecture.md shows this table.
 */
export const LAYERS: Readonly<Record<string, Layer & { readonly content: string }>> = {
  bin: {
    content: 'The program. Checks the version of Node and starts a client or a server command',
    values: ['cli', 'server', 'package.json', 'bin/server-commands.js'],
    exception: 'a client command never loads the server',
  },
  server: {
    content:
      '`start-service.ts` connects all modules. Also: settings, TLS, metrics, traces, backup, the server commands, the demo',
    values: [
      'app',
      'bin/server-commands.js',
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
    values: [
      'sdk',
      'contract',
      'domain/vocabulary.ts',
      'domain/defaults.ts',
      'lib',
      'cli/program.ts',
      'bin/server-commands.js',
    ],
  },
  web: {
    content: 'The dashboard, a separate package. Vite builds it into `dist/web`',
    values: ['sdk', 'contract', 'domain/vocabulary.ts'],
    exception: 'by their paths, or as `#sdk/`, `#contract/` and `#vocabulary`',
  },
  sdk: {
    content: 'HTTP client and event follower, for the command line and the dashboard',
    values: ['contract', 'domain/vocabulary.ts', 'domain/timestamp.ts'],
  },
  'cli/program.ts': {
    content: 'Exit codes and the base of both programs, for client and server commands',
    values: ['cli/help.ts'],
  },
  'cli/help.ts': { content: 'The format of help texts', values: [] },
  'bin/server-commands.js': {
    content: 'Names and descriptions of the server commands',
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
  'contract/event-payloads.ts': {
    content: 'The payload of each event type',
    values: ['contract', 'domain/vocabulary.ts'],
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
    exception: 'a driver never imports another driver',
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
    content: 'Types and pure rules: `rollout/` for operations, `tasks/` for tasks, `health-check.ts` for health checks',
    values: ['lib', 'domain/vocabulary.ts', 'domain/defaults.ts'],
    types: ['contract/event-payloads.ts'],
  },
  'domain/defaults.ts': { content: 'Documented defaults', values: [] },
  'domain/timestamp.ts': { content: 'The format of times', values: [] },
  'domain/vocabulary.ts': { content: 'Enumerated values, such as statuses and roles', values: [] },
  lib: { content: 'Logging, validation, time and text, without domain terms', values: [] },
};

const SHARED_MODULES = ['operations', 'hosts', 'enrolment', 'policy', 'clusters', 'events'];

/** Allowed imports between the folders of the dashboard. `main.tsx` may import all. */
export const WEB_MODULES: Readonly<Record<string, Layer>> = {
  app: { values: ['pages', ...SHARED_MODULES, 'live', 'auth', 'api', 'ui'] },
  pages: { values: [...SHARED_MODULES, 'live', 'auth', 'api', 'ui'], exception: 'never another page' },
  ...Object.fromEntries(
    SHARED_MODULES.map(module => [
      module,
      { values: [...SHARED_MODULES.filter(other => other !== module), 'live', 'auth', 'api', 'ui'] },
    ]),
  ),
  auth: { values: ['live', 'api', 'ui'] },
  live: { values: ['api', 'ui'] },
  api: { values: [] },
  ui: { values: [], exception: 'of `src/` only `sdk` and `domain/vocabulary.ts`' },
};

function formatImports({ values, types = [], exception }: Layer): string {
  const allowed = [values.map(code).join(', '), types.length > 0 ? `types of ${types.map(code).join(' and ')}` : ''];
  return [allowed.filter(Boolean).join(', ') || 'no other module', ...(exception ? [exception] : [])].join('; ');
}

export const layersTable = () =>
  table(
    ['Module', 'Content', 'May import'],
    Object.entries(LAYERS).map(([name, layer]) => [code(name), layer.content, formatImports(layer)]),
  );
