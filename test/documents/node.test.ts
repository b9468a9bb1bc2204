// docs/admin/install.md, Node: typed with an archive of the test in place of nodejs.org, and a folder of it in place of /usr/local.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeWithPrograms } from '../harness/documents/describe-with-programs.ts';
import { blockOf } from '../harness/documents/read-through.ts';
import { runTool, tryTool } from '../harness/hosts/run-tool.ts';
import { listen } from '../harness/listen.ts';

const NAME = `node-v24.0.0-linux-${process.arch}`;
const OTHERS = ['aix-ppc64.tar.gz', 'linux-armv7l.tar.gz', `linux-${process.arch}.tar.xz`];

describeWithPrograms('the Node of the guide to installing', ['curl --version', 'tar --version'], () => {
  let [folder, port] = ['', 0];
  const answers = new Map<string, Buffer | string>();
  const server = createServer((request, response) => {
    const answer = answers.get(path.basename(request.url ?? ''));
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-node-'));
    const bin = path.join(folder, NAME, 'bin');
    for (const each of [bin, path.join(folder, 'local')]) mkdirSync(each, { recursive: true });
    writeFileSync(path.join(bin, 'node'), '#!/bin/sh\necho v24.0.0\n', { mode: 0o755 });
    await runTool(['tar', '-czf', `${folder}/made`, '-C', folder, NAME]);
    const archive = readFileSync(`${folder}/made`);
    const sum = createHash('sha256').update(archive).digest('hex');
    const list = [...OTHERS.map(each => `node-v24.0.0-${each}`), `${NAME}.tar.gz`];
    answers.set(`${NAME}.tar.gz`, archive);
    answers.set('SHASUMS256.txt', list.map(each => `${sum}  ${each}\n`).join(''));
    port = await listen(server);
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const typed = () => {
    const script = blockOf('docs/admin/install.md', 'nodejs.org')
      .replace('https://nodejs.org', `http://127.0.0.1:${port}`)
      .replace('/usr/local', `${folder}/local`);
    return tryTool(['bash', '-c', `cd ${folder}\n${script}`]);
  };
  const node = () => path.join(folder, 'local/bin/node');

  test('is unpacked when it is what the list says', async () => {
    expect(await typed()).toMatchObject({ exitCode: 0, stdout: `${NAME}.tar.gz: OK\n` });
    expect(await runTool([node()])).toBe('v24.0.0\n');
  });

  test('is not when it is not', async () => {
    answers.set(`${NAME}.tar.gz`, 'something else');
    expect((await typed()).exitCode).not.toBe(0);
    expect(existsSync(node())).toBe(false);
  });
});
