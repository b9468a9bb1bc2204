// YAML and JSON blocks in documents are valid.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PolicyInput } from '../../src/contract/policy.ts';
import { readInventory } from '../../src/drivers/host-source/file/inventory.ts';
import { readConfig } from '../../src/server/configuration/config.ts';
import { fencedBlocks } from '../harness/documents/markdown.ts';
import { readDocument } from '../harness/documents/run-document.ts';
import { runTool } from '../harness/programs/run-tool.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

const blocksOf = (document: string, language: string) => {
  const blocks = fencedBlocks(readDocument(document), language);
  if (blocks.length === 0) throw new Error(`${document} has no ${language}`);
  return blocks.map(({ line, text }) => [`${document}:${line}`, text] as const);
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostler-blocks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileWith = (text: string) => {
  const file = path.join(folder, 'block.yaml');
  writeFileSync(file, text);
  return file;
};

const inGuide = blocksOf('docs/guides/host-sources.md', 'yaml');
const [sources, files] = [inGuide.slice(0, 1), inGuide.slice(1)];

test.each([
  ...['docs/reference/configuration.md', 'docs/guides/jump-hosts.md'].flatMap(document => blocksOf(document, 'yaml')),
  ...sources,
])('%s has valid settings', (_place, text) => {
  const { errors } = readConfig({ flags: {}, environment: {}, file: fileWith(text) });
  expect(errors).toEqual([]);
});

test.each(files)('%s is a valid inventory file', async (_place, text) => {
  expect((await readInventory(text)).size).toBeGreaterThan(0);
});

test.each(blocksOf('docs/guides/run-operations.md', 'json'))('%s is a valid policy', (_place, text) => {
  const { policy } = JSON.parse(text) as { policy: unknown };
  expect([...Value.Errors(PolicyInput, policy)]).toEqual([]);
});

describeWithPrograms('promtool on blocks of documents', ['promtool'], () => {
  test.each(['docs/admin/monitoring.md', 'docs/guides/inventories.md'].flatMap(document => blocksOf(document, 'yaml')))(
    'accepts %s',
    async (_place, text) => {
      const output = await runTool(['promtool', 'check', 'config', '--syntax-only', fileWith(text)]);
      expect(output).toContain('SUCCESS');
    },
  );
});
