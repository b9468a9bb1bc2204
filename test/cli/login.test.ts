import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CLIENT_VARIABLES } from '../../src/cli/program.ts';
import { makeCertificate } from '../harness/certificates/certificates.ts';
import { listen } from '../harness/listen.ts';
import { hostler, makeHome } from '../harness/programs/cli.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, startTestService } from '../harness/service.ts';

describe('logging in', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
    await service.makeAccount('ann', 'viewer');
    await service.makeAccount('machine', 'enrol');
  });
  afterAll(() => service.stop());

  /** Somebody at a home of their own. */
  async function person() {
    const HOME = await makeHome();
    const run = (line: string, options: Parameters<typeof hostler>[1] = {}) =>
      hostler(line, { ...options, environment: { HOME, ...options.environment } });
    return { run, file: path.join(HOME, '.config/hostler/contexts.json') };
  }
  const host = () => new URL(service.url).host;

  test('asks for what is missing, keeps it for its owner alone, and works from then on', async () => {
    const { run, file } = await person();
    const { exitCode, asked, askedSecretly, stdout, stderr } = await run('login', {
      answers: [service.url, '', ADMIN_PASSWORD],
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(asked).toEqual(['Server [http://127.0.0.1:8000]: ', 'User [admin]: ', 'Password of admin: ']);
    expect(askedSecretly).toEqual(['Password of admin: ']);
    expect(stdout).toBe(`logged in to ${service.url} as admin (role admin), context ${host()}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run('cluster list')).toMatchObject({ exitCode: 0 });
    expect((await run('login', { answers: ['', '', ADMIN_PASSWORD] })).asked[0]).toBe(
      `Server [${service.url}]: `,
    );
  });

  test.each([
    ['ann', 'viewer'],
    // It may not read its own account, and is told so: the password was right.
    ['machine', 'enrol'],
  ])('takes the password of %s from a pipe, and says that this is a %s', async (name, role) => {
    const { run } = await person();
    const ran = await run(`login ${service.url} --user ${name} --password-stdin`, {
      input: `password of ${name}\n`,
    });
    expect(ran).toMatchObject({ exitCode: 0, asked: [] });
    expect(ran.stdout).toContain(`as ${name} (role ${role}),`);
  });

  test('keeps nothing when the password is wrong, or nobody is there', async () => {
    const { run } = await person();
    const wrong = await run(`login ${service.url} --password-stdin`, { input: 'wrong' });
    expect(wrong.exitCode).toBe(4);
    expect(wrong.stderr).toMatch(/^hostler: login to http:\S+ as admin failed: .*\. Nothing was stored\n$/);
    const away = await run('login http://127.0.0.1:1 --password-stdin', { input: ADMIN_PASSWORD });
    expect(away.exitCode).toBe(3);
    expect((await run('context list')).stderr).toContain('No contexts found');
  });

  test.each(['<html>', '{}'])('says that a server which answers %s is none of ours', async answer => {
    const server = createServer((_request, response) => void response.end(answer));
    onTestFinished(() => void server.close());
    const { run } = await person();
    const url = `http://127.0.0.1:${await listen(server)}`;
    const ran = await run(`login ${url} --password-stdin`, { input: 'x' });
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('is not a Hostler server');
  });

  test('keeps what several logins at the same time want to be kept', async () => {
    const { run } = await person();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const login = (name: string) =>
      run(`login ${service.url} --name ${name} --password-stdin`, { input: ADMIN_PASSWORD });
    await Promise.all(names.map(login));
    expect((await run('context list -o name')).stdout).toBe(names.map(name => `${name}\n`).join(''));
  });

  test('says where it cannot keep anything', async () => {
    const { run } = await person();
    const environment = { XDG_CONFIG_HOME: '/proc/nowhere' };
    const ran = await run(`login ${service.url} --password-stdin`, { input: ADMIN_PASSWORD, environment });
    expect(ran).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /contexts\.json cannot be written: .*\. Set XDG_CONFIG_HOME to use another/,
      ),
    });
  });

  test('keeps several servers, also one that is away, and warns of what is not encrypted', async () => {
    const { run, file } = await person();
    const line = `login ${service.url} --server http://127.0.0.1:1 --name prod --password-stdin`;
    const { stderr } = await run(line, { input: ADMIN_PASSWORD });
    expect(stderr).toBe(
      'hostler: warning: http://127.0.0.1:1 does not respond; it is stored in the context anyway\n',
    );
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      current: 'prod',
      contexts: { prod: { servers: [service.url, 'http://127.0.0.1:1'] } },
    });
    const plain = await run('login http://hostler.invalid:8000 --password-stdin', { input: 'x' });
    expect(plain.stderr).toContain(
      'hostler: warning: the connection to http://hostler.invalid:8000 is not encrypted',
    );
  });

  test('says which variables count before what it keeps', async () => {
    const { run } = await person();
    const environment = {
      ...{ HOSTLER_PASSWORD: ADMIN_PASSWORD, HOSTLER_USER: 'admin', HOSTLER_CONTEXT: 'other' },
      ...{ HOSTLER_URL: service.url, HOSTLER_CA_FILE: makeCertificate(await makeHome()).cert },
    };
    const names = CLIENT_VARIABLES.join(', ');
    expect(await run('login', { environment })).toMatchObject({
      exitCode: 0,
      stderr: `hostler: warning: commands will use ${names} from the environment instead of this context\n`,
    });
    expect(Object.keys(environment).sort()).toEqual([...CLIENT_VARIABLES].sort());
  });

  test('a second account at the same server does not replace the first', async () => {
    const { run } = await person();
    await run(`login ${service.url} --password-stdin`, { input: ADMIN_PASSWORD });
    for (const _again of [1, 2])
      await run(`login ${service.url} --user ann --password-stdin`, { input: 'password of ann' });
    expect((await run('context list -o name')).stdout).toBe(`${host()}\nann@${host()}\n`);
  });

  test('contexts are listed, used, renamed and removed, and never show a password', async () => {
    const { run, file } = await person();
    await run(`login ${service.url} --name one --password-stdin`, { input: ADMIN_PASSWORD });
    await run(`login ${service.url} --name two --user ann --password-stdin`, { input: 'password of ann' });
    expect((await run('context list')).stdout).toBe(
      `   NAME  SERVERS                 USER\n   one   ${service.url}  admin\n*  two   ${service.url}  ann\n`.replace(
        'SERVERS                 ',
        'SERVERS'.padEnd(service.url.length + 2),
      ),
    );
    for (const line of ['context list', 'context show one', 'context use two'])
      for (const format of ['json', 'yaml', 'wide']) {
        const { exitCode, stdout } = await run(`${line} -o ${format}`);
        expect([exitCode, stdout]).toEqual([0, expect.not.stringMatching(/password|correct horse/)]);
      }
    const steps: readonly [string, string][] = [
      ['context use one', 'switched to context one\n'],
      ['context show', `name:    one\ncurrent: yes\nservers: ${service.url}\nuser:    admin\n`],
      ['context rename one first', 'context one renamed to first\n'],
      ['context show -o name', 'first\n'],
      ['user show -o name', 'admin\n'],
      ['user show --context two -o name', 'ann\n'],
      ['context remove two --yes', 'context two removed\n'],
      ['logout', 'logged out, context first removed\n'],
    ];
    for (const [line, stdout] of steps) expect(await run(line), line).toMatchObject({ exitCode: 0, stdout });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ contexts: {} });
  });

  test.each([
    ['login', 2, 'no server URL given'],
    [
      'login http://127.0.0.1:1',
      2,
      'no terminal to prompt for the password of admin. Pipe it in with --password-stdin',
    ],
    ['login http://a:b@127.0.0.1', 2, 'must not contain a user name or password'],
    ['login http://127.0.0.1:1 --name "a b"', 2, 'invalid context name "a b"'],
    ['login http://127.0.0.1:1 --password-stdin', 2, 'stdin is empty'],
    ['logout', 2, 'not logged in'],
    ['context use constructor', 2, 'the context constructor does not exist'],
    ['context show', 2, 'there is no current context'],
    ['cluster list --context constructor', 2, 'the context constructor does not exist'],
  ])('%s ends with %i', async (line, exitCode, stderr) => {
    const ran = await (await person()).run(line);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toContain(stderr);
  });

  test('a new password of the own account is kept as well', async () => {
    const { run } = await person();
    await service.makeAccount('eve', 'viewer');
    await run(`login ${service.url} --user eve --password-stdin`, { input: 'password of eve' });
    const changed = await run('user password', { answers: ['another one', 'another one'] });
    expect(changed).toMatchObject({ exitCode: 0, stdout: 'password of account eve changed\n' });
    expect(await run('user show -o name')).toMatchObject({ exitCode: 0, stdout: 'eve\n' });
  });
});
