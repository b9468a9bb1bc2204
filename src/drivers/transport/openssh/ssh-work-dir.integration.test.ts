import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OTHER_HOST_KEY } from '../../../../test/harness/credentials.ts';
import { freePort } from '../../../../test/harness/http/sockets.ts';
import { findProcesses } from '../../../../test/harness/programs/proc-files.ts';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { CONNECTION_LIMITS, SshdFixture, startConformanceHost } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import type { Target } from '../transport.ts';
import { createOpenSshTransport } from './openssh-transport.ts';

const POLL_OPTIONS = { timeout: 10_000 };

describeWithSshd('openssh work directories', () => {
  const fixture = new SshdFixture();
  const transport = createOpenSshTransport({ tempFolder: fixture.folder });
  const folders = () => readdirSync(fixture.folder).filter(name => name.startsWith('hostler-ssh-'));
  const remaining = () => [...folders(), ...findProcesses(fixture.folder).map(({ commandLine }) => commandLine)];
  const expectNothingLeft = () => expect.poll(remaining, POLL_OPTIONS).toEqual([]);

  /** Parts of the key, as text and in base64. */
  const piecesOf = ({ privateKey }: Target) => {
    const text = Buffer.from(privateKey.reveal(), 'base64').toString('latin1');
    return [...text.split('\n').filter(line => line.length > 20), privateKey.reveal().slice(40, 80)];
  };

  test('contain no secrets, neither in files nor in process lists', async () => {
    const { target } = await fixture.start();
    const connection = await fixture.connectOrThrow(transport, target);
    const running = connection.run(['sh', '-c', 'sleep 30; : secret-argument'], CONNECTION_LIMITS);
    await expect.poll(() => findProcesses(fixture.folder).length, POLL_OPTIONS).toBe(2);
    await expect.poll(() => findProcesses('secret-argument').length, POLL_OPTIONS).toBeGreaterThan(0);
    const sshProcesses = findProcesses(fixture.folder);
    const [folder = ''] = folders();
    const files = readdirSync(path.join(fixture.folder, folder)).filter(name => name === 'known_hosts');
    const texts = [
      ...sshProcesses.flatMap(({ commandLine, environment }) => [commandLine, environment]),
      ...files.map(name => readFileSync(path.join(fixture.folder, folder, name), 'latin1')),
    ].join('\n');
    expect(texts).toContain('ssh');
    for (const piece of [...piecesOf(target), 'secret-argument']) expect(texts).not.toContain(piece);
    expect(readdirSync(path.join(fixture.folder, folder)).sort()).toEqual(['known_hosts', 'master']);
    expect(statSync(path.join(fixture.folder, folder)).mode & 0o777).toBe(0o700);
    connection.close();
    await running;
    await expectNothingLeft();
  });

  test('give ssh only PATH and HOME', async () => {
    const { target } = await fixture.start();
    await fixture.connectOrThrow(transport, target);
    const [master] = findProcesses(fixture.folder);
    const names = master?.environment
      .split('\0')
      .filter(Boolean)
      .map(line => line.split('=')[0]);
    expect(names?.sort()).toEqual(['HOME', 'PATH']);
  });

  test('are removed after a failed connect', async () => {
    const host = await startConformanceHost(transport);
    fixture.addCleanup(() => host.close?.());
    const { target, unauthorizedKey, unresponsive, closedPort } = host;
    for (const attempt of [
      { ...target, hostKeys: [OTHER_HOST_KEY] },
      { ...target, privateKey: unauthorizedKey },
      closedPort,
    ]) {
      await transport.connect(attempt, CONNECTION_LIMITS);
      await expectNothingLeft();
    }
    await transport.connect(unresponsive, { ...CONNECTION_LIMITS, timeoutMs: 200 });
    await expectNothingLeft();
  });

  test.each([2, 3])('are removed after an abort at mayProceed call %i', async callNumber => {
    const { target } = await fixture.start();
    const controller = new AbortController();
    let calls = 0;
    const mayProceed = () => {
      if (++calls === callNumber) controller.abort();
      return true;
    };
    const limits = { ...CONNECTION_LIMITS, signal: controller.signal, mayProceed };
    expect(await fixture.connect(transport, target, limits)).toMatchObject({ kind: 'unreachable' });
    await expectNothingLeft();
  });

  test('are removed after a lost connection and after a command timeout', async () => {
    const sshd = await fixture.start();
    const connection = await fixture.connectOrThrow(transport, sshd.target);
    await connection.run(['sleep', '30'], { ...CONNECTION_LIMITS, timeoutMs: 200 });
    await expectNothingLeft();
    await fixture.connectOrThrow(transport, sshd.target);
    sshd.cut();
    await expectNothingLeft();
  });

  test('are removed together with the ssh process of an unresponsive jump host', async () => {
    const host = await startConformanceHost(transport);
    fixture.addCleanup(() => host.close?.());
    const lines = ['Host jump', 'HostName 127.0.0.1', `Port ${host.unresponsive.port}`, 'Host 127.*', 'ProxyJump jump'];
    const configFile = fixture.write(`${lines.join('\n')}\n`);
    const jumpTransport = createOpenSshTransport({ tempFolder: fixture.folder, configFile });
    const controller = new AbortController();
    const target = { ...host.target, port: await freePort() };
    const result = jumpTransport.connect(target, { ...CONNECTION_LIMITS, signal: controller.signal });
    await expect.poll(() => findProcesses(`-W\0[127.0.0.1]:${target.port}`).length, POLL_OPTIONS).toBe(1);
    controller.abort();
    expect(await result).toMatchObject({ kind: 'unreachable' });
    await expectNothingLeft();
  });
});
