import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findProcesses } from '../../../../test/harness/programs/proc-files.ts';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { SshdFixture } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import { createOpenSshTransport } from './openssh-transport.ts';
import { workDirPrefix } from './ssh-work-dir.ts';

const SERVER = `
  import { createOpenSshTransport } from ${JSON.stringify(path.join(import.meta.dirname, 'openssh-transport.ts'))};
  import { Secret } from ${JSON.stringify(path.join(import.meta.dirname, '../../../domain/secret.ts'))};
  const { tempFolder, privateKey, ...target } = JSON.parse(process.env.SSH_TARGET);
  await createOpenSshTransport({ tempFolder }).connect(
    { ...target, privateKey: new Secret(privateKey) },
    { timeoutMs: 20_000, signal: new AbortController().signal },
  );
  console.log('in');
  process.stdin.once('data', () => process.exit());
`;

const POLL_OPTIONS = { timeout: 10_000 };

describeWithSshd('stale openssh work directories', () => {
  const fixture = new SshdFixture();
  const folders = () => readdirSync(fixture.folder).filter(name => name.startsWith('hostler-ssh-'));
  const masters = () => findProcesses(`ControlPath=${fixture.folder}`);

  async function connectedServer() {
    const { target } = await fixture.start();
    const sshTarget = { ...target, privateKey: target.privateKey.reveal(), tempFolder: fixture.folder };
    const server = spawn(process.execPath, ['--input-type=module-typescript', '-e', SERVER], {
      env: { ...process.env, SSH_TARGET: JSON.stringify(sshTarget) },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    fixture.addCleanup(() => server.kill('SIGKILL'));
    await once(server.stdout, 'data');
    expect([folders().length, masters().length]).toEqual([1, 1]);
    return server;
  }

  test('are removed by the next server after a kill', async () => {
    const server = await connectedServer();
    server.kill('SIGKILL');
    await once(server, 'exit');
    expect([folders().length, masters().length]).toEqual([1, 1]);
    createOpenSshTransport({ tempFolder: fixture.folder });
    expect(folders()).toEqual([]);
    await expect.poll(masters, POLL_OPTIONS).toEqual([]);
  });

  test('do not remain after a normal exit', async () => {
    const server = await connectedServer();
    server.stdin.write('exit\n');
    await once(server, 'exit');
    expect(folders()).toEqual([]);
    await expect.poll(masters, POLL_OPTIONS).toEqual([]);
  });

  test('are kept while their server is alive', () => {
    const ownFolder = `${workDirPrefix()}own`;
    mkdirSync(fixture.filePath(ownFolder));
    createOpenSshTransport({ tempFolder: fixture.folder });
    expect(folders()).toContain(ownFolder);
  });
});
