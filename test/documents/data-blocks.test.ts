// What documents give to put into a file or into a request is what the service, or the program that it is for, takes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PolicyInput } from '../../src/contract/policy.ts';
import { readInventory } from '../../src/drivers/host-source/file/inventory.ts';
import { readConfig } from '../../src/server/configuration/config.ts';
import { describeUnless } from '../harness/describe-unless.ts';
import { documentText } from '../harness/documents/read-through.ts';
import { fencedBlocks } from '../harness/documents/shell-blocks.ts';
import { runTool } from '../harness/hosts/run-tool.ts';
import { problemWithPrograms } from '../harness/programs/missing-programs.ts';

const blocksOf = (document: string, language: string) => {
  const blocks = fencedBlocks(documentText(document), language);
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
  ...['docs/reference/configuration.md', 'docs/guides/jump-hosts.md'].flatMap(each => blocksOf(each, 'yaml')),
  ...sources,
])('%s has settings that are right', (_place, text) => {
  const { errors } = readConfig({ flags: {}, environment: {}, file: fileWith(text) });
  expect(errors).toEqual([]);
});

test.each(files)('%s can be read as a file with hosts', async (_place, text) => {
  expect((await readInventory(text)).size).toBeGreaterThan(0);
});

test.each(blocksOf('docs/guides/run-operations.md', 'json'))('%s is a policy', (_place, text) => {
  const { policy } = JSON.parse(text) as { policy: unknown };
  expect([...Value.Errors(PolicyInput, policy)]).toEqual([]);
});

describeUnless(problemWithPrograms(['promtool --version']), 'there is no promtool', 'promtool', () => {
  test.each(
    ['docs/admin/monitoring.md', 'docs/guides/inventories.md'].flatMap(each => blocksOf(each, 'yaml')),
  )('finds nothing wrong with %s', async (_place, text) => {
    const said = await runTool(['promtool', 'check', 'config', '--syntax-only', fileWith(text)]);
    expect(said).toContain('SUCCESS');
  });
});
