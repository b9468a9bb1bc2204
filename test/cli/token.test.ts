import { beforeAll, expect, test } from 'vitest';
import { HOST_KEY } from '../harness/credentials.ts';
import { describeCli } from '../harness/programs/cli.ts';

describeCli('hostler token', {}, (run, service) => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
  });

  test('create prints the secret once, and a host can enrol with it', async () => {
    const line = 'token create rack --cluster web --uses 2 --expires 2h --cidr 127.0.0.0/8';
    const created = await run(line);
    expect(created.exitCode).toBe(0);
    expect(created.stderr).toMatch(
      /^token rack created: 2 hosts can enrol with it from 127\.0\.0\.0\/8 until \S+ \S+ UTC\.\n/,
    );
    expect(created.stderr).toContain('It is not shown again');
    const secret = created.stdout.trim();
    const enrolled = await service().put('/api/v0/host', { host_keys: [HOST_KEY] }, { as: `token:${secret}` });
    expect(enrolled.status).toBe(201);
    const repeated = await run(line);
    expect(repeated).toMatchObject({
      exitCode: 4,
      stdout: '',
      stderr: expect.stringMatching(/the token rack already exists, and its secret cannot be shown again\. Remove it/),
    });
    const shown = await run('token show rack');
    expect(shown.stdout).toMatch(/^name: {11}rack\nstate: {10}active\ncluster: {8}web\nused: {11}1 of 2\n/);
    expect((await run('token list')).stdout).toMatch(
      /^NAME {2}STATE {3}CLUSTER {2}USED {2}EXPIRES +SOURCE NETWORK\nrack {2}active {2}web {6} 1\/2 {2}in (1h 59m|2h) +127\.0\.0\.0\/8\n$/,
    );
    expect(await run('token remove rack', { promptAnswers: ['y'] })).toMatchObject({
      stdout: 'token rack removed\n',
    });
    expect(await run('token list')).toMatchObject({ stdout: '' });
  });

  test('create -o json includes the secret', async () => {
    const { stdout, stderr } = await run('token create scripted -o json');
    expect(JSON.parse(stdout)).toMatchObject({ name: 'scripted', uses: 1, secret: expect.any(String) });
    expect(stderr).toBe('');
  });

  test('create -o name omits the secret with a warning', async () => {
    const { stdout, stderr } = await run('token create named -o name');
    expect(stdout).toBe('named\n');
    expect(stderr).toMatch(/^hostler: warning: -o name omits the secret of named, .*create it with -o json\n$/);
    expect(stderr).not.toContain('hst_');
  });

  test.each([
    ['token create a --expires soon', 2, /It must be a duration such as 90s/],
    [
      'token create a --expires 1s',
      2,
      /'--expires <duration>' argument '1s' is invalid\. It must be from 1m to 365d\./,
    ],
    ['token create a --uses 0', 2, /It must be at least 1\./],
    ['token create a --cidr nonsense', 4, /--cidr must be an IPv4 or IPv6 network/],
    ['token create a --cluster nowhere', 4, /nowhere/],
    ['token show nowhere', 5, /nowhere/],
    ['token remove nowhere', 5, /nowhere/],
    ['token remove scripted', 2, /Confirm with --yes \(no terminal to prompt on\)/],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toMatch(stderr);
  });
});
