// Whoever reads the log, or does not, cannot stop the service.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROJECT, RunningProgram, runCommand } from '../harness/programs/process.ts';

describe('the log', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const settings = () => ({ HOSTLER_LISTEN: '127.0.0.1:0', HOSTLER_DATA: path.join(folder, 'data') });
  /** The service, with what a shell does to its output. */
  const serve = (redirection: string) =>
    runCommand('sh', ['-c', `exec "${process.execPath}" bin/hostler.js serve ${redirection}`], settings());

  const expectServed = async (url: string, requests = 20) => {
    for (let count = 0; count < requests; count += 1) {
      expect((await fetch(`${url}/${'x'.repeat(3000)}`)).status).toBe(401);
    }
  };

  test('that cannot be written, since its disk is full, is done without', async () => {
    const service = serve('2>/dev/full');
    await expectServed(await service.url());
    expect((await service.kill('SIGTERM')).code).toBe(0);
  });

  test('that nobody reads does not hold up the service, nor its end', async () => {
    const child = spawn(process.execPath, ['bin/hostler.js', 'serve'], {
      cwd: PROJECT,
      env: { PATH: process.env['PATH'] ?? '', ...settings() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new RunningProgram(child);
    const url = await service.url();
    child.stderr.pause();
    await expectServed(url, 200);
    child.kill('SIGTERM');
    await new Promise(resolve => child.once('exit', resolve));
    expect(child.exitCode).toBe(0);
    child.stderr.resume();
    await service.ended;
  });

  test('says that the first lines could not be printed, and what to do about the password in them', async () => {
    const service = serve('>/dev/full');
    await service.says(/cannot print the start message/);
    await service.says(/hostler admin reset-password/);
    await expectServed(await service.says(/listening at (http:[^"]+)/));
    expect((await service.kill('SIGTERM')).code).toBe(0);
  });
});
