interface Layer {
  readonly values: readonly string[];
  readonly types?: readonly string[];
  /** What else is asked of it. */
  readonly but?: string;
}

/** What each layer may import; `types` only as types. The table in docs/contributing/architecture.md is made from it. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  lib: { values: [] },
  'domain/vocabulary.ts': { values: [] },
  'domain/defaults.ts': { values: [] },
  contract: { values: ['domain/vocabulary.ts', 'domain/defaults.ts'] },
  domain: { values: ['lib', 'domain/vocabulary.ts', 'domain/defaults.ts'] },
  secrets: { values: ['domain', 'lib'] },
  store: { values: ['domain', 'lib'] },
  clients: { values: ['domain', 'lib'] },
  drivers: { values: ['clients', 'domain', 'lib'], but: 'a driver never imports another driver' },
  operations: { values: ['domain', 'lib'], types: ['drivers'] },
  engine: { values: ['domain', 'operations', 'secrets', 'lib'], types: ['store', 'drivers'] },
  app: { values: ['domain', 'secrets', 'lib'], types: ['store', 'drivers'] },
  events: { values: ['domain', 'lib'], types: ['store'] },
  http: { values: ['contract', 'domain', 'lib'], types: ['app'] },
  client: { values: ['contract', 'domain/vocabulary.ts'] },
  program: { values: [] },
  cli: { values: ['client', 'contract', 'domain/vocabulary.ts', 'domain/defaults.ts', 'lib', 'program'] },
  server: {
    values: [
      ...[
        'app',
        'clients',
        'contract',
        'domain',
        'drivers',
        'engine',
        'events',
        'http',
        'lib',
        'operations',
        'program',
        'secrets',
        'store',
      ],
    ],
  },
  web: {
    values: ['client', 'contract', 'domain/vocabulary.ts'],
    but: 'by their paths, or as `#client/`, `#contract/` and `#vocabulary`',
  },
  bin: { values: ['cli', 'server', 'package.json'], but: 'a client command never loads the server' },
};

const SHARED_ROOMS = ['operations', 'fleet', 'policy', 'clusters', 'event-words'];

/** What each room of the dashboard may import of the others; `main.tsx` may import all. The table in docs/contributing/architecture.md is made from it. */
export const WEB_ROOMS: Readonly<Record<string, Layer>> = {
  app: { values: ['pages', ...SHARED_ROOMS, 'live', 'session', 'api', 'ui'] },
  pages: { values: [...SHARED_ROOMS, 'live', 'session', 'api', 'ui'], but: 'never another page' },
  ...Object.fromEntries(
    SHARED_ROOMS.map(room => [
      room,
      { values: [...SHARED_ROOMS.filter(other => other !== room), 'live', 'session', 'api', 'ui'] },
    ]),
  ),
  session: { values: ['live', 'api', 'ui'] },
  live: { values: ['api', 'ui'] },
  api: { values: [] },
  ui: { values: [], but: 'of `src/` only `client` and `domain/vocabulary.ts`' },
};
