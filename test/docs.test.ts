// The documents keep to the truth: their tables are made from the code. test/documents/ has what else must hold of them.
// To rewrite the tables: UPDATE_DOCS=1 npx vitest run test/docs.test.ts

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpointTables, objectTables } from './harness/documents/api-document.ts';
import {
  clientCommands,
  commonOptions,
  serverCommands,
  sharedOptions,
} from './harness/documents/cli-document.ts';
import { dependencyTables } from './harness/documents/dependency-document.ts';
import { errorsSections } from './harness/documents/errors-document.ts';
import { layersTable } from './harness/documents/house-document.ts';
import { metricsTables } from './harness/documents/metrics-document.ts';
import {
  leavingTable,
  operationDrawing,
  policyTable,
  verbsTable,
} from './harness/documents/operations-document.ts';
import { documentText } from './harness/documents/read-through.ts';
import { settingsTable, sourcesTable } from './harness/documents/settings-document.ts';
import { movesTable } from './harness/documents/states-document.ts';
import { PROJECT } from './harness/programs/process.ts';

const HOW_TO_UPDATE = 'update it by: UPDATE_DOCS=1 npx vitest run test/docs.test.ts';

describe('the tables are as the code has them', () => {
  test.each<[string, string, (text: string) => string]>([
    ['settings', 'docs/reference/configuration.md', settingsTable],
    ['errors', 'docs/reference/errors.md', errorsSections],
    ['endpoints', 'docs/reference/endpoints.md', endpointTables],
    ['objects', 'docs/reference/endpoints.md', objectTables],
    ['layers', 'docs/contributing/architecture.md', layersTable],
    ['moves', 'docs/concepts/host-lifecycle.md', movesTable],
    ['operation', 'docs/reference/operation-states.md', operationDrawing],
    ['verbs', 'docs/reference/operation-states.md', verbsTable],
    ['leaving', 'docs/reference/operation-states.md', leavingTable],
    ['policy', 'docs/guides/run-operations.md', policyTable],
    ['metrics', 'docs/reference/metrics.md', metricsTables],
    ['sources', 'docs/guides/host-sources.md', sourcesTable],
    ['common options', 'docs/reference/cli.md', commonOptions],
    ['shared options', 'docs/reference/cli.md', sharedOptions],
    ['client commands', 'docs/reference/cli.md', clientCommands],
    ['server commands', 'docs/reference/cli.md', serverCommands],
    ...dependencyTables,
  ])('%s in %s', (name, file, makeTable) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const text = documentText(file);
    const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
    expect(start !== -1 && start < stop, `${file} needs the lines ${begin} and ${end}`).toBe(true);
    const updated = `${text.slice(0, start) + begin}\n\n${makeTable(text)}\n\n${text.slice(stop)}`;
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path.join(PROJECT, file), updated);
    else
      expect(text, `the table of ${name} in ${file} is not what the code says; ${HOW_TO_UPDATE}`).toBe(
        updated,
      );
  });
});
