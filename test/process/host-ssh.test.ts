// `hostler host ssh` with the real programs of OpenSSH and a real sshd: where the private key is on the way, and what is left afterwards.

import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { sshString } from '../../src/lib/ssh-encoding.ts';
import { OTHER_HOST_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { listen } from '../harness/listen.ts';
import { needlesOf, seedOfPem } from '../harness/needles.ts';
import { asAdmin, hostler, makeHome } from '../harness/programs/cli.ts';
import { runHostler } from '../harness/programs/process.ts';
import { processesNaming } from '../harness/programs/processes-naming.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, startTestService } from '../harness/service.ts';
import type { Sshd } from '../harness/ssh/sshd.ts';
import { describeWithSshd, startSshd } from '../harness/ssh/sshd.ts';
import { until } from '../harness/until.ts';

const ADDRESS = '127.0.0.1';
/** As shells have it after Ctrl-C. */
const INTERRUPTED = 130;

/** In a form that not every ssh-add reads. */
const pair = generateKeyPairSync('ed25519');
const PEM = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
const half = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const PUBLIC_LINE = `ssh-ed25519 ${Buffer.concat([sshString('ssh-ed25519'), sshString(half)]).toString('base64')}`;

describeWithSshd('hostler host ssh', () => {
  let service: TestService;
  let sshd: Sshd;
  let temp: string;
  beforeAll(async () => {
    [service, sshd] = await Promise.all([startTestService('sqlite'), startSshd()]);
    sshd.authorize(PUBLIC_LINE);
  });
  afterAll(() => Promise.all([service.stop(), sshd.stop()]));
  beforeEach(async () => {
    // A path that is read otherwise where it is not quoted.
    temp = path.join(await makeHome(), 'a b%h');
    mkdirSync(temp);
  });
  afterEach(() => service.delete(`/api/v0/host/${ADDRESS}`));

  const enrol = (hostKey: string, more: object = {}) =>
    service.put(`/api/v0/host/${ADDRESS}`, {
      ssh_priv_key: Buffer.from(PEM).toString('base64'),
      remote_user: sshd.target.user,
      ssh_port: sshd.target.port,
      host_keys: [hostKey],
      ...more,
    });
  const environment = () => ({
    ...asAdmin(service.url),
    PATH: process.env['PATH'] ?? '',
    TMPDIR: temp,
  });
  const ssh = (rest: string, options: Parameters<typeof hostler>[1] = {}) =>
    hostler(`host ssh ${ADDRESS} ${rest}`, { environment: environment(), ...options });
  const leftovers = () => [...readdirSync(temp), ...processesNaming(temp).map(each => each.commandLine)];
  const expectNothingLeft = () =>
    until(
      () => `nothing is left: ${leftovers()}`,
      () => leftovers().length === 0,
    );

  test('runs a command there, with what is typed here, and ends as it does', async () => {
    await enrol(sshd.hostKey);
    expect(await ssh('-- echo "$SSH_CONNECTION" "; cat; exit 7"', { input: 'typed' })).toMatchObject({
      exitCode: 7,
      stdout: expect.stringMatching(new RegExp(` ${sshd.target.port}\ntyped$`)),
      stderr: '',
    });
    expect(await ssh('-- true')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
      asked: [],
      askedSecretly: [],
    });
    expect((await ssh('--tty -- tty')).stdout).toMatch(/^\/dev\//);
    await expectNothingLeft();
  });

  test('keeps the key out of files, arguments and environments, and cleans up at Ctrl-C', async () => {
    await enrol(sshd.hostKey);
    let interrupt = () => {};
    const onInterruptible = (callback: () => void) => {
      interrupt = callback;
    };
    const marker = path.join(temp, '..', 'is-in');
    const ran = ssh(`-- "touch '${marker}'; sleep 60"`, { onInterruptible });
    await until('it is in', () => readdirSync(path.dirname(marker)).includes('is-in'));
    const [folder = ''] = readdirSync(temp);
    expect(statSync(path.join(temp, folder)).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.join(temp, folder)).sort()).toEqual(['agent', 'known_hosts']);
    const told = processesNaming(folder).map(each => each.commandLine + each.environment);
    expect(told.map(each => each.split('\0', 1)[0]).sort()).toEqual(['ssh', 'ssh-agent']);
    const haystack = [...told, readFileSync(path.join(temp, folder, 'known_hosts'), 'latin1')].join('\n');
    const needles = [
      ...needlesOf('key', seedOfPem(PEM)),
      ...needlesOf('password', Buffer.from(ADMIN_PASSWORD)),
    ];
    expect(needles.filter(({ bytes }) => haystack.includes(bytes.toString('latin1')))).toEqual([]);
    interrupt();
    expect((await ran).exitCode).toBe(INTERRUPTED);
    await expectNothingLeft();
  });

  test('cleans up as a process that is told to end', async () => {
    await enrol(sshd.hostKey);
    const program = runHostler(['host', 'ssh', ADDRESS, '--', 'echo in; sleep 60'], environment());
    await program.says(/^in$/m);
    expect(await program.kill('SIGTERM')).toEqual({ code: INTERRUPTED, signal: null });
    await expectNothingLeft();
  });

  test('refuses a host that shows another key than the service knows', async () => {
    await enrol(OTHER_HOST_KEY);
    const before = sshd.logins();
    const ran = await ssh('-- true');
    expect(ran).toMatchObject({ exitCode: 255, stdout: '' });
    expect(ran.stderr).toMatch(
      /Host key verification failed\.\s+hostler: ssh failed with exit code 255: .*: hostler host show 127/,
    );
    expect(sshd.logins()).toBe(before);
    await expectNothingLeft();
  });

  test.each([
    [
      'with a key that the host does not take',
      { ssh_priv_key: PRIVATE_KEY },
      255,
      /Permission denied \(publickey/,
    ],
    ['at a port where nobody listens', { ssh_port: 1 }, 255, /Connection refused/],
  ])('ends as ssh does %s', async (_what, more, exitCode, stderr) => {
    await enrol(sshd.hostKey, more);
    expect(await ssh('-- true')).toMatchObject({ exitCode, stderr: expect.stringMatching(stderr) });
    await expectNothingLeft();
  });

  test('says what to install where there is no ssh', async () => {
    await enrol(sshd.hostKey);
    const ran = await ssh('', { environment: { ...environment(), PATH: temp } });
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/Install openssh-client/) });
    await expectNothingLeft();
  });

  test("says so of a host that is reached by the service's own key", async () => {
    const access = { remote_user: 'root', ssh_port: 22, host_keys: [OTHER_HOST_KEY] };
    const creds = { ssh_priv_key: '', remote_user: 'root' };
    const pretended = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url?.endsWith('/access') ? access : creds));
    });
    const url = `http://${ADDRESS}:${await listen(pretended, ADDRESS)}`;
    onTestFinished(() => void pretended.close());
    const ran = await ssh('', { environment: { ...environment(), HOSTLER_URL: url } });
    expect(ran).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/uses the key of the server, which cannot be exported/),
    });
    expect(leftovers()).toEqual([]);
  });
});
