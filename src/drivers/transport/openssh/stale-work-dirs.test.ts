import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { processesNaming } from '../../../../test/harness/programs/processes-naming.ts';
import { SshVisits } from '../../../../test/harness/ssh/ssh-visits.ts';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { createOpenSshTransport } from './openssh-transport.ts';
import { workDirPrefix } from './ssh-work-dir.ts';

const SERVER = `
  import { createOpenSshTransport } from ${JSON.stringify(path.join(import.meta.dirname, 'openssh-transport.ts'))};
  import { Secret } from ${JSON.stringify(path.join(import.meta.dirname, '../../../domain/secret.ts'))};
  const { tempFolder, privateKey, ...target } = JSON.parse(process.env.VISIT);
  await createOpenSshTransport({ tempFolder }).connect(
    { ...target, privateKey: new Secret(privateKey) },
    { timeoutMs: 20_000, signal: new AbortController().signal },
  );
  console.log('in');
  process.stdin.once('data', () => process.exit());
`;

/** Longer than a busy machine takes. */
const SOON = { timeout: 10_000 };

describeWithSshd('what a server leaves behind', () => {
  const visits = new SshVisits();
  const folders = () => readdirSync(visits.folder).filter(name => name.startsWith('hostler-ssh-'));
  const masters = () => processesNaming(`ControlPath=${visits.folder}`);

  async function connectedServer() {
    const { target } = await visits.start();
    const visit = { ...target, privateKey: target.privateKey.reveal(), tempFolder: visits.folder };
    const server = spawn(process.execPath, ['--input-type=module-typescript', '-e', SERVER], {
      env: { ...process.env, VISIT: JSON.stringify(visit) },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    visits.atEnd(() => server.kill('SIGKILL'));
    await once(server.stdout, 'data');
    expect([folders().length, masters().length]).toEqual([1, 1]);
    return server;
  }

  test('when it is killed is ended and removed by the next one', async () => {
    const server = await connectedServer();
    server.kill('SIGKILL');
    await once(server, 'exit');
    expect([folders().length, masters().length]).toEqual([1, 1]);
    createOpenSshTransport({ tempFolder: visits.folder });
    expect(folders()).toEqual([]);
    await expect.poll(masters, SOON).toEqual([]);
  });

  test('when it exits by itself is nothing', async () => {
    const server = await connectedServer();
    server.stdin.write('exit\n');
    await once(server, 'exit');
    expect(folders()).toEqual([]);
    await expect.poll(masters, SOON).toEqual([]);
  });

  test('is not touched as long as it lives', () => {
    const own = `${workDirPrefix()}own`;
    mkdirSync(visits.inside(own));
    createOpenSshTransport({ tempFolder: visits.folder });
    expect(folders()).toContain(own);
  });
});
