// The package, installed into its own folder with Node and without a compiler.

import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { InstalledPackage } from '../harness/npm-package.ts';
import { createNpmPackage } from '../harness/npm-package.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { PROJECT, runCommand } from '../harness/programs/process.ts';
import { runTool } from '../harness/programs/run-tool.ts';
import { createSuiteFolder } from '../harness/temp-folders.ts';

/** Files that the package may contain. */
const ALLOWED_FILES = [
  /^(CHANGELOG|README|SECURITY)\.md$/,
  /^(LICENSE|package\.json|npm-shrinkwrap\.json)$/,
  /^bin\/[\w-]+\.js$/,
  /^contrib\/([\w-]+\/)?[\w./-]+$/,
  /^dist\/(client|sdk|server|web)\//,
  /^docs\/([\w-]+\/)?[\w-]+\.md$/,
  /^docs\/pictures\/[\w-]+\.png$/,
];

const TSC_OPTIONS = [
  ...['--noEmit', '--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2024'],
  ...['--types', 'node', '--typeRoots', path.join(PROJECT, 'node_modules/@types')],
];

/** A program of a user. */
const SDK_PROGRAM = `
import type { Cluster, ClusterInput, HostListEntry, HostStatus, OperationHost, OperationReport, OperationState } from 'hostler/sdk';
import type { HostInput, Outage, Overview, PathRequest, PolicyInput, RejectedHost, Role, TextResponse } from 'hostler/sdk';
import { ApiError, createClient, createRequestSender, getOperationId, streamEvents, waitForOperation } from 'hostler/sdk';

const { SERVICE_URL: baseUrl = '', SERVICE_PASSWORD: password = '' } = process.env;
const client = createClient({ baseUrl, user: 'admin', password });
const settings: ClusterInput = { network: 'default' };
await client.putCluster({ name: 'web', body: settings });
const policy: PolicyInput = { max_unavailable: 2 };
const host: HostInput = { ssh_priv_key: 'a2V5', remote_user: 'core' };
const overview: Overview = (await client.getOverview()).body;
const status: HostStatus = 'active';
const role: Role = (await client.getOwnAccount()).body.role;
const send: (request: PathRequest) => Promise<TextResponse> = createRequestSender({ baseUrl, user: 'admin', password });
const describe = (at: RejectedHost | Outage | OperationHost): string => at.address;
const cluster: Cluster = (await client.getCluster({ name: 'web' })).body;
const hosts: readonly HostListEntry[] = (await client.listHosts({ query: { extended: true } })).body;
const error = await client.getHost({ address: '127.0.0.99' }).catch((reason: unknown) => reason);
const id = getOperationId(await client.putRestart({ name: 'web', body: { policy } }));
const report: OperationReport = await waitForOperation(client, id, { intervalMs: 50 });
const state: OperationState = report.state;
let type: string = '';
for await (const event of streamEvents({ baseUrls: [baseUrl], user: 'admin', password, query: { after: 0 } })) {
  type = event.type;
  if (type === 'cluster.created') break;
}
console.log(JSON.stringify([cluster.network, hosts.length, error instanceof ApiError && error.problem.code, state, type]));
`;

const npmPackage = createNpmPackage(createSuiteFolder('hostler-package-'));

test('the package has no sources, tests or local files', async () => {
  const { files } = await npmPackage.getPacked();
  expect(files.filter(name => !ALLOWED_FILES.some(pattern => pattern.test(name)))).toEqual([]);
  // Tests of the alert rules are for contributors.
  expect(files.filter(name => /(?<!\.d)\.tsx?$|\.test\.js$|\.pem$|\.key$|\.env$|\.sqlite/.test(name))).toEqual([]);
  const required = [
    'npm-shrinkwrap.json',
    'dist/sdk/index.js',
    'dist/sdk/types/sdk/index.d.ts',
    'dist/server/main.js',
    'dist/web/index.html',
    'docs/reference/configuration.md',
  ];
  expect(files).toEqual(expect.arrayContaining(required));
});

test('the package can be built in a fresh checkout', async () => {
  expect(statSync(await npmPackage.packCleanCheckout()).size).toBeGreaterThan(500_000);
});

describe('the package installed without a compiler', () => {
  let [installed, folder]: [InstalledPackage | undefined, string] = [undefined, ''];
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-elsewhere-'));
    installed = await npmPackage.getInstalled();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const hostler = (
    args: readonly string[],
    extraEnvironment: Readonly<Record<string, string>> = {},
  ): RunningProgram => {
    const environment = {
      PATH: installed?.path ?? '',
      HOME: folder,
      NODE_COMPILE_CACHE: '',
      ...extraEnvironment,
    };
    return runCommand(path.join(installed?.prefix ?? '', 'bin/hostler'), args, environment, folder);
  };
  const finish = async (program: RunningProgram) => {
    const { code } = await program.ended;
    return { code, stdout: program.stdout, stderr: program.stderr };
  };

  test('prints its version, help and completion', async () => {
    expect(await finish(hostler(['--version']))).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
    expect((await finish(hostler(['--help']))).stdout).toContain('Server commands (run on the server machine)');
    expect((await finish(hostler(['serve', '--help']))).stdout).toContain('--secret-key-file');
    expect((await finish(hostler(['completion', 'bash']))).stdout).toContain('_hostler()');
  });

  test('serves the API, dashboard and documents, works with its own client and stops', async () => {
    const service = hostler(['serve', '--listen', '127.0.0.1:0']);
    const url = await service.url();
    const password = await service.waitForOutput(/password {2}(\S+)/);
    expect(service.stdout).toContain('To set a new one: hostler admin reset-password');
    const page = await (await fetch(`${url}/`)).text();
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
    expect((await fetch(url + script)).status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { version: string } };
    expect(document.info.version).toBe(manifest.version);

    const clientEnvironment = { HOSTLER_URL: url, HOSTLER_PASSWORD: password };
    expect(await finish(hostler(['cluster', 'create', 'web'], clientEnvironment))).toMatchObject({ code: 0 });
    expect((await finish(hostler(['cluster', 'list', '-o', 'name'], clientEnvironment))).stdout).toBe('web\n');
    const token = ['user-data', 'web', '--url', 'http://hostler.example:8000'];
    expect((await finish(hostler(token, clientEnvironment))).stdout).toContain('#!/bin/sh');
    const doctor = await finish(hostler(['doctor', '--listen', new URL(url).host]));
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('is intact') });
    expect(await finish(hostler(['backup', 'saved']))).toMatchObject({ code: 0 });
    expect((await finish(hostler(['audit', 'verify']))).stdout).toContain('the hash chain is valid');
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  test('exports a typed client that works in other projects', async () => {
    const service = hostler(['serve', '--listen', '127.0.0.1:0', '--data', path.join(folder, 'for-sdk')]);
    const url = await service.url();
    const password = await service.waitForOutput(/password {2}(\S+)/);
    // Without the texts and schemas of the routes.
    expect(
      statSync(path.join(installed?.prefix ?? '', 'lib/node_modules/hostler/dist/sdk/index.js')).size,
    ).toBeLessThan(24_000);
    const project = path.join(folder, 'project');
    mkdirSync(path.join(project, 'node_modules'), { recursive: true });
    symlinkSync(
      path.join(installed?.prefix ?? '', 'lib/node_modules/hostler'),
      path.join(project, 'node_modules/hostler'),
    );
    writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(project, 'use.ts'), SDK_PROGRAM);
    for (const options of [
      ['--module', 'nodenext'],
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ])
      await runTool([
        'env',
        '-C',
        project,
        path.join(PROJECT, 'node_modules/.bin/tsc'),
        ...TSC_OPTIONS,
        ...options,
        'use.ts',
      ]);
    const output = await runTool(['env', '-C', project, process.execPath, 'use.ts'], {
      env: { SERVICE_URL: url, SERVICE_PASSWORD: password },
    });
    expect(JSON.parse(output)).toEqual(['default', 0, 'not_found', 'finished', 'cluster.created']);
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  test('runs the demo', async () => {
    const demo = hostler(['demo', '--listen', '127.0.0.1:0']);
    const url = await demo.url();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await demo.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  test('reports unexpected errors with source positions', async () => {
    const main = path.join(installed?.prefix ?? '', 'lib/node_modules/hostler/dist/server/main.js');
    const script = `process.setSourceMapsEnabled(true); const { run } = await import(${JSON.stringify(main)}); await run(null);`;
    const { stderr } = await finish(
      runCommand(process.execPath, ['--input-type=module', '-e', script], { NODE_COMPILE_CACHE: '' }, folder),
    );
    expect(stderr).toMatch(/src\/server\/main\.ts:\d+/);
  });
});
