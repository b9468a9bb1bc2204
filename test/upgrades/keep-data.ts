// npm run keep-data — keeps the data and the interface of this version for all later ones:
//
//   npm run keep-data             under the version of package.json
//   npm run keep-data -- 0.2.1    under another

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '../../src/client/client.ts';
import { createLog } from '../../src/lib/log.ts';
import type { Overrides } from '../../src/server/compose.ts';
import { startService } from '../../src/server/compose.ts';
import { loadConfig } from '../../src/server/configuration/config.ts';
import { version as ownVersion } from '../../src/server/version.ts';
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts';
import { newFleet } from '../harness/simulated-service.ts';
import { startPostgres } from '../harness/stores/postgres.ts';
import { dumpPostgres, dumpSqlite } from './dump-store.ts';
import { beginOperations, fillStore, PASSWORDS } from './fill-store.ts';
import type { Kept } from './kept-data.ts';
import { KEPT } from './kept-data.ts';
import { presentInterface } from './present-interface.ts';

const log = createLog('silent', false);
/** What would end by itself lasts, so that later versions find it good. */
const LASTING = ['sessions', 'enrolment_tokens'].map(
  table => `update ${table} set expires_at = '2999-01-01T00:00:00.000000';`,
);

async function fill(data: string, store: string): Promise<Kept> {
  const secretKey = randomBytes(32).toString('base64');
  const start = async (settings: Readonly<Record<string, string>>, overrides: Overrides = {}) => {
    const environment = {
      ...{ HOSTLER_LISTEN: '127.0.0.1:0', HOSTLER_DATA: data, HOSTLER_STORE: store },
      ...{ HOSTLER_SECRET_KEY: secretKey, HOSTLER_ADMIN_PASSWORD: PASSWORDS.admin },
      ...settings,
    };
    const service = await startService(loadConfig({ environment, flags: {} }), log, overrides);
    const caller = { user: 'admin', password: PASSWORDS.admin };
    return { service, client: createClient({ baseUrl: service.url, ...caller }) };
  };
  const fleet = newFleet();
  const working = await start({}, { transport: fleet.transport });
  const operationId = await beginOperations(working.client, fleet);
  await working.service.stop();
  const still = await start({ HOSTLER_TRANSPORT: 'none', HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true' });
  try {
    return { secretKey, ...(await fillStore(still.service, still.client, operationId)) };
  } finally {
    await still.service.stop();
  }
}

async function keepSqlite(data: string) {
  const about = await fill(data, 'sqlite');
  // A store that is opened and closed again has no log beside its file.
  await (await openSqlite(data)).close();
  return { about, statements: dumpSqlite(path.join(data, 'hostler.sqlite')) };
}

async function keepPostgres(data: string) {
  const postgres = await startPostgres();
  if (postgres === undefined) throw new Error('PostgreSQL is not installed here; npm test installs it');
  const about = await fill(data, postgres.url);
  const statements = dumpPostgres(postgres.url);
  await postgres.stop();
  return { about, statements };
}

const version = process.argv[2] ?? ownVersion;
const folder = path.join(KEPT, version);
if (existsSync(folder)) throw new Error(`${folder} is there already, and is never changed`);
const data = mkdtempSync(path.join(tmpdir(), 'hostler-keep-'));
try {
  const kept = { sqlite: await keepSqlite(data), postgres: await keepPostgres(data) };
  mkdirSync(folder, { recursive: true });
  const writeJson = (name: string, content: unknown) =>
    writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
  writeJson('interface', presentInterface());
  for (const [kind, { about, statements }] of Object.entries(kept)) {
    writeJson(kind, about);
    writeFileSync(path.join(folder, `${kind}.sql`), `${[statements, ...LASTING].join('\n')}\n`);
  }
  process.stdout.write(`Kept in ${path.relative(process.cwd(), folder)}.\n`);
} finally {
  rmSync(data, { recursive: true, force: true });
}
