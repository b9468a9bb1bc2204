// Generates the tables of the documents from the code. To rewrite them:
// UPDATE_DOCS=1 npx vitest run test/documents/generated-tables.test.ts

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientCommands, commonOptions, serverCommands, sharedOptions } from '../harness/documents/cli-tables.ts';
import { dependencyTables } from '../harness/documents/dependency-tables.ts';
import { endpointTables, objectTables } from '../harness/documents/endpoint-tables.ts';
import { layersTable } from '../harness/documents/import-rules.ts';
import { abortTable, actionsTable, operationDiagram, policyTable } from '../harness/documents/operation-diagrams.ts';
import {
  errorsSections,
  eventsTable,
  metricsTables,
  settingsTable,
  sourcesTable,
  transitionsTable,
} from '../harness/documents/reference-tables.ts';
import { readDocument } from '../harness/documents/run-document.ts';
import { PROJECT } from '../harness/programs/process.ts';

const HOW_TO_UPDATE = 'update it by: UPDATE_DOCS=1 npx vitest run test/documents/generated-tables.test.ts';

describe('generated tables', () => {
  test.each<[string, string, (text: string) => string]>([
    ['settings', 'docs/reference/configuration.md', settingsTable],
    ['errors', 'docs/reference/errors.md', errorsSections],
    ['endpoints', 'docs/reference/endpoints.md', endpointTables],
    ['objects', 'docs/reference/endpoints.md', objectTables],
    ['events', 'docs/reference/events.md', eventsTable],
    ['layers', 'docs/architecture.md', layersTable],
    ['transitions', 'docs/concepts/host-lifecycle.md', transitionsTable],
    ['operation', 'docs/reference/operation-states.md', operationDiagram],
    ['verbs', 'docs/reference/operation-states.md', actionsTable],
    ['leaving', 'docs/reference/operation-states.md', abortTable],
    ['policy', 'docs/guides/run-operations.md', policyTable],
    ['metrics', 'docs/reference/metrics.md', metricsTables],
    ['sources', 'docs/guides/host-sources.md', sourcesTable],
    ['common options', 'docs/reference/cli.md', commonOptions],
    ['shared options', 'docs/reference/cli.md', sharedOptions],
    ['client commands', 'docs/reference/cli.md', clientCommands],
    ['server commands', 'docs/reference/cli.md', serverCommands],
    ...dependencyTables,
  ])('the table of %s in %s is up to date', (name, file, makeTable) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const text = readDocument(file);
    const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
    expect(start !== -1 && start < stop, `${file} needs the lines ${begin} and ${end}`).toBe(true);
    const updated = `${text.slice(0, start) + begin}\n\n${makeTable(text)}\n\n${text.slice(stop)}`;
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path.join(PROJECT, file), updated);
    else expect(text, `the table of ${name} in ${file} is outdated; ${HOW_TO_UPDATE}`).toBe(updated);
  });
});
