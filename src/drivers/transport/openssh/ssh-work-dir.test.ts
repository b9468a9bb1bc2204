import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OTHER_HOST_KEY } from '../../../../test/harness/keys.ts';
import { processesNaming } from '../../../../test/harness/programs/processes-naming.ts';
import { SshVisits, VISIT_LIMITS } from '../../../../test/harness/ssh/ssh-visits.ts';
import { describeWithSshd, freePort } from '../../../../test/harness/ssh/sshd.ts';
import { openSshdLab } from '../../../../test/harness/ssh/sshd-lab.ts';
import type { Target } from '../transport.ts';
import { createOpenSshTransport } from './openssh-transport.ts';

/** Longer than a busy machine takes. */
const SOON = { timeout: 10_000 };

describeWithSshd('what the transport openssh has on this machine', () => {
  const visits = new SshVisits();
  const transport = createOpenSshTransport({ tempFolder: visits.folder });
  const folders = () => readdirSync(visits.folder).filter(name => name.startsWith('hostler-ssh-'));
  const leftBehind = () => [
    ...folders(),
    ...processesNaming(visits.folder).map(({ commandLine }) => commandLine),
  ];
  const nothingIsLeft = () => expect.poll(leftBehind, SOON).toEqual([]);

  /** Pieces of the key, as text and as it is sent to us. */
  const piecesOf = ({ privateKey }: Target) => {
    const text = Buffer.from(privateKey.reveal(), 'base64').toString('latin1');
    return [...text.split('\n').filter(line => line.length > 20), privateKey.reveal().slice(40, 80)];
  };

  test('has no secret in it: not in files, not in lists of processes', async () => {
    const { target } = await visits.start();
    const connection = await visits.enter(transport, target);
    const running = connection.run(['sh', '-c', 'sleep 30; : secret-argument'], VISIT_LIMITS);
    await expect.poll(() => processesNaming(visits.folder).length, SOON).toBe(2);
    await expect.poll(() => processesNaming('secret-argument').length, SOON).toBeGreaterThan(0);
    const ours = processesNaming(visits.folder);
    const [folder = ''] = folders();
    const files = readdirSync(path.join(visits.folder, folder)).filter(name => name === 'known_hosts');
    const texts = [
      ...ours.flatMap(({ commandLine, environment }) => [commandLine, environment]),
      ...files.map(name => readFileSync(path.join(visits.folder, folder, name), 'latin1')),
    ].join('\n');
    expect(texts).toContain('ssh');
    for (const piece of [...piecesOf(target), 'secret-argument']) expect(texts).not.toContain(piece);
    expect(readdirSync(path.join(visits.folder, folder)).sort()).toEqual(['known_hosts', 'master']);
    expect(statSync(path.join(visits.folder, folder)).mode & 0o777).toBe(0o700);
    connection.close();
    await running;
    await nothingIsLeft();
  });

  test('tells ssh where to find programs and the home, and nothing else', async () => {
    const { target } = await visits.start();
    await visits.enter(transport, target);
    const [master] = processesNaming(visits.folder);
    const names = master?.environment
      .split('\0')
      .filter(Boolean)
      .map(line => line.split('=')[0]);
    expect(names?.sort()).toEqual(['HOME', 'PATH']);
  });

  test('is gone after a connect that failed, in whatever way', async () => {
    const fixture = await openSshdLab(transport);
    visits.atEnd(() => fixture.close?.());
    const { target, unauthorizedKey, unresponsive, closedPort } = fixture;
    for (const attempt of [
      { ...target, hostKeys: [OTHER_HOST_KEY] },
      { ...target, privateKey: unauthorizedKey },
      closedPort,
    ]) {
      await transport.connect(attempt, VISIT_LIMITS);
      await nothingIsLeft();
    }
    await transport.connect(unresponsive, { ...VISIT_LIMITS, timeoutMs: 200 });
    await nothingIsLeft();
  });

  test.each([2, 3])('is gone after a connect that was called off at the moment %i', async moment => {
    const { target } = await visits.start();
    const controller = new AbortController();
    let calls = 0;
    const mayProceed = () => {
      if (++calls === moment) controller.abort();
      return true;
    };
    const limits = { ...VISIT_LIMITS, signal: controller.signal, mayProceed };
    expect(await visits.connect(transport, target, limits)).toMatchObject({ kind: 'unreachable' });
    await nothingIsLeft();
  });

  test('is gone when the host cuts the connection, and after a command that took too long', async () => {
    const sshd = await visits.start();
    const connection = await visits.enter(transport, sshd.target);
    await connection.run(['sleep', '30'], { ...VISIT_LIMITS, timeoutMs: 200 });
    await nothingIsLeft();
    await visits.enter(transport, sshd.target);
    sshd.cut();
    await nothingIsLeft();
  });

  test('is gone together with the ssh of a jump host that never answers', async () => {
    const fixture = await openSshdLab(transport);
    visits.atEnd(() => fixture.close?.());
    const lines = [
      'Host jump',
      'HostName 127.0.0.1',
      `Port ${fixture.unresponsive.port}`,
      'Host 127.*',
      'ProxyJump jump',
    ];
    const configFile = visits.write(`${lines.join('\n')}\n`);
    const jumping = createOpenSshTransport({ tempFolder: visits.folder, configFile });
    const controller = new AbortController();
    const target = { ...fixture.target, port: await freePort() };
    const answer = jumping.connect(target, { ...VISIT_LIMITS, signal: controller.signal });
    await expect.poll(() => processesNaming(`-W\0[127.0.0.1]:${target.port}`).length, SOON).toBe(1);
    controller.abort();
    expect(await answer).toMatchObject({ kind: 'unreachable' });
    await nothingIsLeft();
  });
});
