// Clients that public generators create from the OpenAPI document: they compile, their types have good names, and they
// work with the server. `tools/openapi` has the generators.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD, basic } from '../harness/credentials.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { runTool } from '../harness/programs/run-tool.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { createSuiteFolder } from '../harness/temp-folders.ts';

const TOOLS = path.join(PROJECT, 'tools/openapi/node_modules/.bin');
const folder = createSuiteFolder('hostler-generated-clients-');
const documentFile = () => path.join(folder(), 'openapi.json');
const AUTHORIZATION = basic(`admin:${ADMIN_PASSWORD}`);

const TYPE_NAMES = [
  ...[
    'AccountInput',
    'AuditEntry',
    'Cluster',
    'ClusterInput',
    'EnrolmentToken',
    'Event',
    'Host',
    'HostInput',
    'HostListEntry',
  ],
  ...['HostStatus', 'Operation', 'OperationHost', 'OperationKind', 'OperationPlan', 'OperationReport', 'Outage'],
  ...['PlannedHost', 'Policy', 'PolicyInput', 'Problem', 'Role', 'TimeWindow', 'TokenInput', 'Webhook', 'WebhookInput'],
];

interface Generator {
  readonly name: string;
  readonly generate: (target: string, url: string) => Promise<unknown>;
  /** The file with the types. */
  readonly types: string;
  /** Exports `run(url, authorization)`, which creates a cluster, reads it and sends an invalid request. */
  readonly consumer: string;
}

const tool = (name: string, ...args: readonly string[]) => runTool([path.join(TOOLS, name), ...args]);

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-ts',
    generate: target => tool('openapi-ts', '-i', documentFile(), '-o', target, '-c', '@hey-api/client-fetch'),
    types: 'types.gen.ts',
    consumer: `
      import { client } from './client.gen';
      import { getCluster, listClusters, putCluster } from './sdk.gen';
      import type { Cluster, Problem } from './types.gen';
      export async function run(baseUrl: string, authorization: string) {
        client.setConfig({ baseUrl, headers: { authorization } });
        await putCluster({ path: { name: 'generated' }, body: { network: 'default' } });
        const read = await getCluster({ path: { name: 'generated' } });
        const cluster: Cluster | undefined = read.data;
        const extended = await listClusters({ query: { extended: true } });
        const { error } = await getCluster({ path: { name: 'missing' } });
        const problem: Problem | undefined = error;
        return [cluster?.network, extended.data?.length, problem?.code];
      }`,
  },
  {
    name: 'orval',
    generate: async (target, url) => {
      const output = { target: path.join(target, 'client.ts'), client: 'fetch', mode: 'single', baseUrl: url };
      const config = path.join(target, 'orval.config.mjs');
      mkdirSync(target, { recursive: true });
      writeFileSync(config, `export default ${JSON.stringify({ hostler: { input: documentFile(), output } })};`);
      await tool('orval', '--config', config);
    },
    types: 'client.ts',
    consumer: `
      import type { Cluster, Problem } from './client';
      import { getCluster, listClusters, putCluster } from './client';
      export async function run(_baseUrl: string, authorization: string) {
        const options = { headers: { authorization } };
        await putCluster('generated', { network: 'default' }, options);
        const read = await getCluster('generated', options);
        const cluster: Cluster | undefined = read.status === 200 ? read.data : undefined;
        const extended = await listClusters({ extended: true }, options);
        const missing = await getCluster('missing', options);
        const problem: Problem | undefined = missing.status === 404 ? missing.data : undefined;
        return [cluster?.network, extended.status === 200 ? extended.data.length : 0, problem?.code];
      }`,
  },
];

const COMPILER_OPTIONS = [
  ...['--noEmit', '--ignoreConfig', '--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'esnext'],
  ...['--moduleResolution', 'bundler', '--types', 'node', '--typeRoots', path.join(PROJECT, 'node_modules/@types')],
];

async function load(file: string): Promise<{ run: (url: string, authorization: string) => Promise<unknown> }> {
  const outfile = `${file}.mjs`;
  await build({ entryPoints: [file], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

describe('the OpenAPI document', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
    writeFileSync(documentFile(), (await service.get('/openapi.json', { as: null })).text);
  });
  afterAll(() => service.stop());

  test('has no findings of redocly', async () => {
    const output = await tool('redocly', 'lint', documentFile(), '--format=json');
    const { totals } = JSON.parse(output.slice(output.indexOf('{'))) as { totals: object };
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  test.each(GENERATORS)('generates a client with $name that compiles and works', async generator => {
    const target = path.join(folder(), generator.name);
    await generator.generate(target, service.url);
    const types = readFileSync(path.join(target, generator.types), 'utf8');
    for (const name of TYPE_NAMES) expect(types, name).toMatch(new RegExp(`^export (type|interface) ${name}\\b`, 'm'));
    const consumer = path.join(target, 'consumer.ts');
    writeFileSync(consumer, generator.consumer);
    await runTool([path.join(PROJECT, 'node_modules/.bin/tsc'), ...COMPILER_OPTIONS, consumer]);
    const { run } = await load(consumer);
    expect(await run(service.url, AUTHORIZATION)).toEqual(['default', 1, 'not_found']);
    await service.delete('/api/v0/cluster/generated');
  });
});
