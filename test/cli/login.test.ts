import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CLIENT_VARIABLES } from '../../src/cli/program.ts';
import { createCertificate } from '../harness/certificates/certificates.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { listen } from '../harness/http/sockets.ts';
import { createHome, hostler } from '../harness/programs/cli.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';

describe('hostler login and context', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
    await service.makeAccount('ann', 'viewer');
    await service.makeAccount('machine', 'enrol');
  });
  afterAll(() => service.stop());

  /** Each user has a separate home directory. */
  async function makeUser() {
    const HOME = await createHome();
    const run = (line: string, options: Parameters<typeof hostler>[1] = {}) =>
      hostler(line, { ...options, environment: { HOME, ...options.environment } });
    return { run, file: path.join(HOME, '.config/hostler/contexts.json') };
  }
  const host = () => new URL(service.url).host;

  test('prompts for missing values and stores a context that only the owner can read', async () => {
    const { run, file } = await makeUser();
    const { exitCode, prompts, secretPrompts, stdout, stderr } = await run('login', {
      promptAnswers: [service.url, '', ADMIN_PASSWORD],
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(prompts).toEqual(['Server [http://127.0.0.1:8000]: ', 'User [admin]: ', 'Password of admin: ']);
    expect(secretPrompts).toEqual(['Password of admin: ']);
    expect(stdout).toBe(`logged in to ${service.url} as admin (role admin), context ${host()}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run('cluster list')).toMatchObject({ exitCode: 0 });
    expect((await run('login', { promptAnswers: ['', '', ADMIN_PASSWORD] })).prompts[0]).toBe(
      `Server [${service.url}]: `,
    );
  });

  test.each([
    ['ann', 'viewer'],
    // This role cannot read its own account; the password is accepted anyway.
    ['machine', 'enrol'],
  ])('reads the password of %s from stdin and prints the role %s', async (name, role) => {
    const { run } = await makeUser();
    const result = await run(`login ${service.url} --user ${name} --password-stdin`, {
      input: `password of ${name}\n`,
    });
    expect(result).toMatchObject({ exitCode: 0, prompts: [] });
    expect(result.stdout).toContain(`as ${name} (role ${role}),`);
  });

  test('stores nothing if the password is wrong or the server is unreachable', async () => {
    const { run } = await makeUser();
    const wrong = await run(`login ${service.url} --password-stdin`, { input: 'wrong' });
    expect(wrong.exitCode).toBe(4);
    expect(wrong.stderr).toMatch(/^hostler: login to http:\S+ as admin failed: .*\. Nothing was stored\n$/);
    const unreachable = await run('login http://127.0.0.1:1 --password-stdin', { input: ADMIN_PASSWORD });
    expect(unreachable.exitCode).toBe(3);
    expect((await run('context list')).stderr).toContain('No contexts found');
  });

  test.each(['<html>', '{}'])(
    'reports that a server with the response %s is not a Hostler server',
    async responseBody => {
      const server = createServer((_request, response) => void response.end(responseBody));
      onTestFinished(() => void server.close());
      const { run } = await makeUser();
      const url = `http://127.0.0.1:${await listen(server)}`;
      const result = await run(`login ${url} --password-stdin`, { input: 'x' });
      expect(result).toMatchObject({ exitCode: 2 });
      expect(result.stderr).toContain('is not a Hostler server');
    },
  );

  test('reports an unwritable configuration folder', async () => {
    const { run } = await makeUser();
    const environment = { XDG_CONFIG_HOME: '/proc/nowhere' };
    const result = await run(`login ${service.url} --password-stdin`, { input: ADMIN_PASSWORD, environment });
    expect(result).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/contexts\.json cannot be written: .*\. Set XDG_CONFIG_HOME to use another/),
    });
  });

  test('stores several servers, even unreachable ones, and warns about plain HTTP', async () => {
    const { run, file } = await makeUser();
    const line = `login ${service.url} --server http://127.0.0.1:1 --name prod --password-stdin`;
    const { stderr } = await run(line, { input: ADMIN_PASSWORD });
    expect(stderr).toBe('hostler: warning: http://127.0.0.1:1 does not respond; it is stored in the context anyway\n');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      current: 'prod',
      contexts: { prod: { servers: [service.url, 'http://127.0.0.1:1'] } },
    });
    const plain = await run('login http://hostler.invalid:8000 --password-stdin', { input: 'x' });
    expect(plain.stderr).toContain('hostler: warning: the connection to http://hostler.invalid:8000 is not encrypted');
  });

  test('warns about environment variables that override the context', async () => {
    const { run } = await makeUser();
    const environment = {
      ...{ HOSTLER_PASSWORD: ADMIN_PASSWORD, HOSTLER_USER: 'admin', HOSTLER_CONTEXT: 'other' },
      ...{ HOSTLER_URL: service.url, HOSTLER_CA_FILE: createCertificate(await createHome()).cert },
    };
    const names = CLIENT_VARIABLES.join(', ');
    expect(await run('login', { environment })).toMatchObject({
      exitCode: 0,
      stderr: `hostler: warning: commands will use ${names} from the environment instead of this context\n`,
    });
    expect(Object.keys(environment).sort()).toEqual([...CLIENT_VARIABLES].sort());
  });

  test('a second account on the same server gets its own context', async () => {
    const { run } = await makeUser();
    await run(`login ${service.url} --password-stdin`, { input: ADMIN_PASSWORD });
    for (const _again of [1, 2])
      await run(`login ${service.url} --user ann --password-stdin`, { input: 'password of ann' });
    expect((await run('context list -o name')).stdout).toBe(`${host()}\nann@${host()}\n`);
  });

  test('contexts are listed, used, renamed and removed without showing passwords', async () => {
    const { run, file } = await makeUser();
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
    ['logout --context nowhere', 5, 'the context nowhere does not exist'],
    ['context use constructor', 5, 'the context constructor does not exist'],
    ['context show', 2, 'there is no current context'],
    ['cluster list --context constructor', 5, 'the context constructor does not exist'],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await (await makeUser()).run(line);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(stderr);
  });

  test('a changed password of the own account is stored in the context', async () => {
    const { run } = await makeUser();
    await service.makeAccount('eve', 'viewer');
    await run(`login ${service.url} --user eve --password-stdin`, { input: 'password of eve' });
    const changed = await run('user password', { promptAnswers: ['another one', 'another one'] });
    expect(changed).toMatchObject({ exitCode: 0, stdout: 'password of account eve changed\n' });
    expect(await run('user show -o name')).toMatchObject({ exitCode: 0, stdout: 'eve\n' });
  });
});
