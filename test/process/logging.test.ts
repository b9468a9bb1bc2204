// Problems with the log output must not stop the service.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROGRAM, runCommand, runHostler } from '../harness/programs/process.ts';

describe('the service', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const settings = () => ({ HOSTLER_LISTEN: '127.0.0.1:0', HOSTLER_DATA: path.join(folder, 'data') });
  /** Runs the service with a shell redirection of its output. */
  const serve = (redirection: string) =>
    runCommand('sh', ['-c', `exec "${process.execPath}" "${PROGRAM}" serve ${redirection}`], settings());

  const expectServed = async (url: string, requests = 20) => {
    for (let count = 0; count < requests; count += 1) {
      expect((await fetch(`${url}/${'x'.repeat(3000)}`)).status).toBe(401);
    }
  };

  test('continues when its log cannot be written', async () => {
    const service = serve('2>/dev/full');
    await expectServed(await service.url());
    expect((await service.kill('SIGTERM')).code).toBe(0);
  });

  test('continues and stops normally when its log is not read', async () => {
    const service = runHostler(['serve'], settings());
    const { child } = service;
    const url = await service.url();
    child.stderr?.pause();
    await expectServed(url, 200);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    child.stderr?.resume();
    await service.ended;
  });

  test('logs that the start message could not be printed and how to reset the password', async () => {
    const service = serve('>/dev/full');
    await service.waitForOutput(/cannot print the start message/);
    await service.waitForOutput(/hostler admin reset-password/);
    await expectServed(await service.waitForOutput(/listening at (http:[^"]+)/));
    expect((await service.kill('SIGTERM')).code).toBe(0);
  });
});
