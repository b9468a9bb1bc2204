// `hostler host ssh` with the real OpenSSH programs and a real sshd. The private key must not be exposed, and
// no files or processes may remain.

import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { sshString } from '../../src/lib/ssh-encoding.ts';
import { ADMIN_PASSWORD, OTHER_HOST_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import { listen } from '../harness/http/sockets.ts';
import { asAdmin, createHome, hostler } from '../harness/programs/cli.ts';
import { findProcesses } from '../harness/programs/proc-files.ts';
import { runHostler } from '../harness/programs/process.ts';
import { extractPemSeed, secretPatterns } from '../harness/secret-patterns.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import type { Sshd } from '../harness/ssh/sshd.ts';
import { describeWithSshd, startSshd } from '../harness/ssh/sshd.ts';
import { waitUntil } from '../harness/wait-until.ts';

const ADDRESS = '127.0.0.1';
/** Exit code of shells after Ctrl-C. */
const INTERRUPTED = 130;

/** PKCS#8, which not every ssh-add reads. */
const pair = generateKeyPairSync('ed25519');
const PEM = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
const publicKeyBytes = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const PUBLIC_LINE = `ssh-ed25519 ${Buffer.concat([sshString('ssh-ed25519'), sshString(publicKeyBytes)]).toString('base64')}`;

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
    // A path that breaks if it is not quoted.
    temp = path.join(await createHome(), 'a b%h');
    mkdirSync(temp);
  });
  afterEach(() => service.delete(`/api/v0/host/${ADDRESS}`));

  const enrol = (hostKey: string, overrides: object = {}) =>
    service.put(`/api/v0/host/${ADDRESS}`, {
      ssh_priv_key: Buffer.from(PEM).toString('base64'),
      remote_user: sshd.target.user,
      ssh_port: sshd.target.port,
      host_keys: [hostKey],
      ...overrides,
    });
  const environment = () => ({
    ...asAdmin(service.url),
    PATH: process.env['PATH'] ?? '',
    TMPDIR: temp,
  });
  const ssh = (rest: string, options: Parameters<typeof hostler>[1] = {}) =>
    hostler(`host ssh ${ADDRESS} ${rest}`, { environment: environment(), ...options });
  const leftovers = () => [...readdirSync(temp), ...findProcesses(temp).map(entry => entry.commandLine)];
  const expectNothingLeft = () =>
    waitUntil(
      () => `nothing is left: ${leftovers()}`,
      () => leftovers().length === 0,
    );

  test('runs a command with the local input and returns its exit code', async () => {
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
      prompts: [],
      secretPrompts: [],
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
    const result = ssh(`-- "touch '${marker}'; sleep 60"`, { onInterruptible });
    await waitUntil('the command runs', () => readdirSync(path.dirname(marker)).includes('is-in'));
    const [folder = ''] = readdirSync(temp);
    expect(statSync(path.join(temp, folder)).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.join(temp, folder)).sort()).toEqual(['agent', 'known_hosts']);
    const processTexts = findProcesses(folder).map(entry => entry.commandLine + entry.environment);
    expect(processTexts.map(entry => entry.split('\0', 1)[0]).sort()).toEqual(['ssh', 'ssh-agent']);
    const haystack = [...processTexts, readFileSync(path.join(temp, folder, 'known_hosts'), 'latin1')].join('\n');
    const needles = [
      ...secretPatterns('key', extractPemSeed(PEM)),
      ...secretPatterns('password', Buffer.from(ADMIN_PASSWORD)),
    ];
    expect(needles.filter(({ bytes }) => haystack.includes(bytes.toString('latin1')))).toEqual([]);
    interrupt();
    expect((await result).exitCode).toBe(INTERRUPTED);
    await expectNothingLeft();
  });

  test('cleans up at SIGTERM', async () => {
    await enrol(sshd.hostKey);
    const program = runHostler(['host', 'ssh', ADDRESS, '--', 'echo in; sleep 60'], environment());
    await program.waitForOutput(/^in$/m);
    expect(await program.kill('SIGTERM')).toEqual({ code: INTERRUPTED, signal: null });
    await expectNothingLeft();
  });

  test('rejects a host that presents another key than the known one', async () => {
    await enrol(OTHER_HOST_KEY);
    const before = sshd.logins();
    const result = await ssh('-- true');
    expect(result).toMatchObject({ exitCode: 255, stdout: '' });
    expect(result.stderr).toMatch(
      /Host key verification failed\.\s+hostler: ssh failed with exit code 255: .*: hostler host show 127/,
    );
    expect(sshd.logins()).toBe(before);
    await expectNothingLeft();
  });

  test.each([
    ['when the host rejects the key', { ssh_priv_key: PRIVATE_KEY }, 255, /Permission denied \(publickey/],
    ['when the port is closed', { ssh_port: 1 }, 255, /Connection refused/],
  ])('returns the error of ssh %s', async (_case, overrides, exitCode, stderr) => {
    await enrol(sshd.hostKey, overrides);
    expect(await ssh('-- true')).toMatchObject({ exitCode, stderr: expect.stringMatching(stderr) });
    await expectNothingLeft();
  });

  test('names the package to install when ssh is missing', async () => {
    await enrol(sshd.hostKey);
    const result = await ssh('', { environment: { ...environment(), PATH: temp } });
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/Install openssh-client/) });
    await expectNothingLeft();
  });

  test('reports that the key of the server cannot be exported', async () => {
    const access = { remote_user: 'root', ssh_port: 22, host_keys: [OTHER_HOST_KEY] };
    const creds = { ssh_priv_key: '', remote_user: 'root' };
    const fakeServer = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url?.endsWith('/access') ? access : creds));
    });
    const url = `http://${ADDRESS}:${await listen(fakeServer, ADDRESS)}`;
    onTestFinished(() => void fakeServer.close());
    const result = await ssh('', { environment: { ...environment(), HOSTLER_URL: url } });
    expect(result).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/uses the key of the server, which cannot be exported/),
    });
    expect(leftovers()).toEqual([]);
  });
});
