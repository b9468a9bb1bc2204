// Names that documents quote exist in the program, so renamed ones are found.

import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLIENT_VARIABLES } from '../../src/cli/program.ts';
import { routes } from '../../src/contract/index.ts';
import { ERROR_CODES } from '../../src/domain/errors.ts';
import { environmentName, settingKeys } from '../../src/server/configuration/settings.ts';
import { METRIC_CATALOG } from '../../src/server/metrics/metrics-service.ts';
import { readDocument } from '../harness/documents/run-document.ts';
import { PROJECT } from '../harness/programs/process.ts';

const textsOf = (...patterns: readonly string[]) =>
  globSync([...patterns], { cwd: PROJECT })
    .sort()
    .map(file => ({ file, text: readDocument(file) }));

const documents = textsOf('*.md', 'docs/**/*.md').filter(({ file }) => file !== 'CHANGELOG.md');
const program = textsOf('{bin,contrib,src,web/src}/**/*.{js,py,sh,ts,tsx,yaml,yml}').filter(
  ({ file }) => !file.includes('.test.'),
);
const tests = textsOf('vitest.config.ts', '{bench,src,test}/**/*.ts');

/** Returns `document: name` for each unknown name. The name is the first group of the pattern. */
function unknownNames(pattern: RegExp, known: ReadonlySet<string>): readonly string[] {
  const found = documents.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([, name = '']) => ({ file, name })),
  );
  expect(found.length).toBeGreaterThan(4);
  return found.filter(({ name }) => !known.has(name)).map(({ file, name }) => `${file}: ${name}`);
}

const wordsIn = (texts: typeof documents, pattern: RegExp) =>
  new Set(texts.flatMap(({ text }) => text.match(pattern) ?? []));

test('every metric that a document quotes exists', () => {
  const metrics = Object.values(METRIC_CATALOG)
    .flat()
    .flatMap(({ name }) => [name, ...['bucket', 'count', 'sum'].map(part => `${name}_${part}`)]);
  const inventory = JSON.stringify(routes.getAnsibleInventory.response).match(/\bhostler_\w+/g) ?? [];
  expect(unknownNames(/`(hostler_\w+)/g, new Set([...metrics, ...inventory]))).toEqual([]);
});

test('every setting and environment variable that a document quotes exists', () => {
  const variables = new Set<string>([
    ...settingKeys.map(environmentName),
    ...CLIENT_VARIABLES,
    ...wordsIn(tests, /\bHOSTLER_[A-Z_]+/g),
  ]);
  expect(unknownNames(/\b(HOSTLER_[A-Z_]+)/g, variables)).toEqual([]);
  const commissaireNames = ['docs/guides/migrate-from-commissaire.md: kubeconfig'];
  expect(unknownNames(/\bsettings? \[?`(\w+)`/gi, new Set<string>(settingKeys))).toEqual(commissaireNames);
});

test('every error code that a document quotes after a status exists', () => {
  expect(unknownNames(/\b[45]\d\d `(\w+)`/g, new Set<string>(ERROR_CODES))).toEqual([]);
});

/** Names of other programs, and Ansible groups that Hostler derives from names and labels. */
const FOREIGN_NAMES = [
  ...['autovacuum_vacuum_cost_delay', 'checkpoint_timeout', 'listen_addresses', 'max_wal_size'],
  ...['pg_basebackup', 'synchronous_commit', 'synchronous_standby_names'],
  ...['kysely_migration_lock', 'max_fail_percentage', 'max_prepared_statements', 'proxy_read_timeout', 'test_command'],
  ...['cluster_web_1', 'cluster_web_1_c4719afa', 'cluster_web_1_c703c3ba', 'web_1'],
  ...['label_example_com_role_db', 'os_debian', 'status_active'],
];

test('every name with an underscore that a document quotes occurs in the program', () => {
  const names = wordsIn(program, /[a-z]+(?:_[a-z0-9]+)+/g);
  expect(FOREIGN_NAMES.filter(name => names.has(name))).toEqual([]);
  expect(unknownNames(/`([a-z]+(?:_[a-z0-9]+)+)`/g, new Set([...names, ...FOREIGN_NAMES]))).toEqual([]);
});
