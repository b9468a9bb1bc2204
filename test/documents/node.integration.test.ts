// Runs the Node section of docs/admin/install.md with a test archive instead of nodejs.org and a test folder
// instead of /usr/local.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBlock } from '../harness/documents/run-document.ts';
import { listen } from '../harness/http/sockets.ts';
import { runTool, tryTool } from '../harness/programs/run-tool.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

const NAME = `node-v24.0.0-linux-${process.arch}`;
const OTHERS = ['aix-ppc64.tar.gz', 'linux-armv7l.tar.gz', `linux-${process.arch}.tar.xz`];

describeWithPrograms('the Node archive of install.md', ['curl', 'tar'], () => {
  let [folder, port] = ['', 0];
  const responses = new Map<string, Buffer | string>();
  const server = createServer((request, response) => {
    const body = responses.get(path.basename(request.url ?? ''));
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-node-'));
    const bin = path.join(folder, NAME, 'bin');
    for (const name of [bin, path.join(folder, 'local')]) mkdirSync(name, { recursive: true });
    writeFileSync(path.join(bin, 'node'), '#!/bin/sh\necho v24.0.0\n', { mode: 0o755 });
    await runTool(['tar', '-czf', `${folder}/made`, '-C', folder, NAME]);
    const archive = readFileSync(`${folder}/made`);
    const sum = createHash('sha256').update(archive).digest('hex');
    const list = [...OTHERS.map(name => `node-v24.0.0-${name}`), `${NAME}.tar.gz`];
    responses.set(`${NAME}.tar.gz`, archive);
    responses.set('SHASUMS256.txt', list.map(name => `${sum}  ${name}\n`).join(''));
    port = await listen(server);
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const runGuide = () => {
    const script = findBlock('docs/admin/install.md', 'nodejs.org')
      .replace('https://nodejs.org', `http://127.0.0.1:${port}`)
      .replace('/usr/local', `${folder}/local`);
    return tryTool(['bash', '-c', `cd ${folder}\n${script}`]);
  };
  const node = () => path.join(folder, 'local/bin/node');

  test('is unpacked when its checksum matches', async () => {
    expect(await runGuide()).toMatchObject({ exitCode: 0, stdout: `${NAME}.tar.gz: OK\n` });
    expect(await runTool([node()])).toBe('v24.0.0\n');
  });

  test('is not unpacked when its checksum differs', async () => {
    responses.set(`${NAME}.tar.gz`, 'something else');
    expect((await runGuide()).exitCode).not.toBe(0);
    expect(existsSync(node())).toBe(false);
  });
});
