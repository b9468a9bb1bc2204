// The package, installed where there is Node and nothing to compile with, in a folder of its own.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { Installed } from '../harness/package/installed.ts';
import { installed } from '../harness/package/installed.ts';
import { packAtFirst, packed } from '../harness/package/packed.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runCommand } from '../harness/programs/process.ts';

/** What may be in it. */
const MAY_BE = [
  /^(CHANGELOG|README|SECURITY)\.md$/,
  /^(LICENSE|package\.json|npm-shrinkwrap\.json)$/,
  /^bin\/[\w-]+\.js$/,
  /^contrib\/([\w-]+\/)?[\w./-]+$/,
  /^dist\/(client|server|web)\//,
  /^docs\/([\w-]+\/)?[\w-]+\.md$/,
  /^docs\/pictures\/[\w-]+\.png$/,
];
const INSTALL_MS = 240_000;

test('the package has no sources, no tests and nothing of this machine', {
  timeout: INSTALL_MS,
}, async () => {
  const { files } = await packed();
  expect(files.filter(name => !MAY_BE.some(pattern => pattern.test(name)))).toEqual([]);
  // Tests of the alert rules are for whoever changes these.
  expect(files.filter(name => /\.tsx?$|\.test\.js$|\.pem$|\.key$|\.env$|\.sqlite/.test(name))).toEqual([]);
  const wanted = [
    'npm-shrinkwrap.json',
    'dist/server/main.js',
    'dist/web/index.html',
    'docs/reference/configuration.md',
  ];
  expect(files).toEqual(expect.arrayContaining(wanted));
});

test('the package is made in a checkout that is new', { timeout: INSTALL_MS }, async () => {
  expect(statSync(await packAtFirst()).size).toBeGreaterThan(500_000);
});

describe('installed without a compiler', () => {
  let [place, folder]: [Installed | undefined, string] = [undefined, ''];
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-elsewhere-'));
    place = await installed();
  }, INSTALL_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const hostler = (args: readonly string[], more: Readonly<Record<string, string>> = {}): RunningProgram => {
    const environment = { PATH: place?.path ?? '', HOME: folder, NODE_COMPILE_CACHE: '', ...more };
    return runCommand(path.join(place?.prefix ?? '', 'bin/hostler'), args, environment, folder);
  };
  const ended = async (program: RunningProgram) => {
    const { code } = await program.ended;
    return { code, stdout: program.stdout, stderr: program.stderr };
  };

  test('it tells its version and its commands, and completes them', async () => {
    expect(await ended(hostler(['--version']))).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
    expect((await ended(hostler(['--help']))).stdout).toContain(
      'Server commands (run on the server machine)',
    );
    expect((await ended(hostler(['serve', '--help']))).stdout).toContain('--secret-key-file');
    expect((await ended(hostler(['completion', 'bash']))).stdout).toContain('_hostler()');
  });

  test('it serves, shows the dashboard and its documents, is asked by its own client, and stops', async () => {
    const service = hostler(['serve', '--listen', '127.0.0.1:0']);
    const url = await service.url();
    const password = await service.says(/password {2}(\S+)/);
    expect(service.stdout).toContain('To set a new one: hostler admin reset-password');
    const page = await (await fetch(`${url}/`)).text();
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
    expect((await fetch(url + script)).status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { version: string } };
    expect(document.info.version).toBe(manifest.version);

    const asked = { HOSTLER_URL: url, HOSTLER_PASSWORD: password };
    expect(await ended(hostler(['cluster', 'create', 'web'], asked))).toMatchObject({ code: 0 });
    expect((await ended(hostler(['cluster', 'list', '-o', 'name'], asked))).stdout).toBe('web\n');
    const token = ['user-data', 'web', '--url', 'http://hostler.example:8000'];
    expect((await ended(hostler(token, asked))).stdout).toContain('#!/bin/sh');
    const doctor = await ended(hostler(['doctor', '--listen', new URL(url).host]));
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('is intact') });
    expect(await ended(hostler(['backup', 'saved']))).toMatchObject({ code: 0 });
    expect((await ended(hostler(['audit', 'verify']))).stdout).toContain('the hash chain is valid');
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  test('the demo runs', async () => {
    const demo = hostler(['demo', '--listen', '127.0.0.1:0']);
    const url = await demo.url();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await demo.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  test('an error that nobody foresaw is told by a line of the sources', async () => {
    const main = path.join(place?.prefix ?? '', 'lib/node_modules/hostler/dist/server/main.js');
    const script = `process.setSourceMapsEnabled(true); const { run } = await import(${JSON.stringify(main)}); await run(null);`;
    const { stderr } = await ended(
      runCommand(process.execPath, ['--input-type=module', '-e', script], { NODE_COMPILE_CACHE: '' }, folder),
    );
    expect(stderr).toMatch(/src\/server\/commands\/main\.ts:\d+/);
  });
});
