// Parsers of files on the server machine or on the machine of a CLI user.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { readContexts } from '../../src/cli/contexts/contexts-file.ts';
import { CliError } from '../../src/cli/errors.ts';
import { parseDuration } from '../../src/cli/input/option-parsers.ts';
import { OperatorError } from '../../src/lib/errors.ts';
import { readConfig } from '../../src/server/configuration/config.ts';
import { inspectStore } from '../../src/store/sqlite/inspect-sqlite.ts';
import type { Parser } from './parser.ts';
import { allowErrors, mutatedBytes, mutatedText, parser } from './parser.ts';

const SETTINGS = `listen: 127.0.0.1:8000
store: sqlite
trust_proxy: [10.0.0.0/8]
sources:
  - {name: a, type: http, url: 'https://cmdb.example/{address}', fields: {cpus: /c}}
`;
const CONTEXTS = JSON.stringify({
  current: 'a',
  contexts: { a: { servers: ['http://127.0.0.1:8000'], user: 'u', password: 'p' } },
});

const TABLES = ['kysely_migration', 'accounts', 'clusters', 'data_keys', 'hosts', 'outbox'];

/** Returns the bytes of a small SQLite file with the tables of a store. */
function smallStore(): Buffer {
  const database = new Database(':memory:');
  for (const table of TABLES) database.exec(`create table ${table} (a); insert into ${table} values (1)`);
  const bytes = database.serialize();
  database.close();
  return bytes;
}

/** The folder contains the parsed files. */
export function machineParsers(folder: () => string): readonly Parser[] {
  const at = (name: string) => path.join(folder(), name);
  return [
    parser(
      'the configuration',
      'src/server/configuration/config.ts',
      mutatedText(SETTINGS),
      text => {
        writeFileSync(at('hostler.yaml'), text);
        readConfig({ environment: {}, flags: {}, file: at('hostler.yaml') });
      },
      10,
    ),
    parser(
      'the contexts of the command line',
      'src/cli/contexts/contexts-file.ts',
      mutatedText(CONTEXTS),
      async text => {
        mkdirSync(at('hostler'), { recursive: true });
        writeFileSync(at('hostler/contexts.json'), text, { mode: 0o600 });
        await allowErrors(() => readContexts({ XDG_CONFIG_HOME: folder() }), CliError);
      },
      10,
    ),
    parser('a time span', 'src/cli/input/option-parsers.ts', mutatedText('1h30m', '90'), async text => {
      await allowErrors(() => parseDuration(text), Error);
    }),
    parser(
      'a backup',
      'src/store/sqlite/inspect-sqlite.ts',
      fc.oneof(mutatedBytes(smallStore()), mutatedBytes(Buffer.from('SQLite format 3\0'))),
      async bytes => {
        writeFileSync(at('backup'), bytes);
        await allowErrors(() => inspectStore(at('backup'), 'the backup'), OperatorError);
      },
      10,
    ),
  ];
}
