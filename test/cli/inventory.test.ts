import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { createCertificate } from '../harness/certificates/certificates.ts';
import { HOST_KEY } from '../harness/credentials.ts';
import { asAdmin, createHome, describeCli } from '../harness/programs/cli.ts';

const settings = { HOSTLER_PUBLIC_URL: 'http://127.0.0.1:8000' };

describeCli('hostler inventory and user-data', { settings }, (run, service) => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
    await service().makeHosts('active', 'web', '127.9.0.1');
    await service().makeHosts('failed', undefined, '127.9.0.2');
    await service().makeAccount('machine', 'enrol');
  });

  const json = async (line: string) => JSON.parse((await run(line)).stdout);

  test('inventory prints the response of the server for Ansible and Prometheus', async () => {
    const { body } = await service().get('/api/v0/inventory/ansible');
    expect(await json('inventory ansible --list')).toEqual(body);
    expect(await json('inventory ansible')).toEqual(body);
    expect(await json('inventory ansible --host 127.9.0.1')).toMatchObject({ ansible_host: '127.9.0.1' });
    expect(await json('inventory ansible --cluster web --status active')).toMatchObject({
      cluster_web: { hosts: ['127.9.0.1'] },
    });
    expect(await json('inventory prometheus --port 9200 --status failed')).toMatchObject([
      { targets: ['127.9.0.2:9200'] },
    ]);
    expect((await run('inventory prometheus --cluster web -o yaml')).stdout).toMatch(/^- targets:\n/);
  });

  test.each([
    ['inventory ansible -o name', '127.9.0.1\n127.9.0.2\n'],
    ['inventory ansible --host 127.9.0.1 -o name', '127.9.0.1\n'],
    ['inventory prometheus --cluster web -o name', '127.9.0.1\n'],
  ])('`hostler %s` prints host addresses', async (line, stdout) => {
    expect(await run(line)).toMatchObject({ exitCode: 0, stdout });
  });

  test('user-data includes the CA certificates of the environment', async () => {
    const { cert: HOSTLER_CA_FILE } = createCertificate(await createHome());
    const created = await run('user-data web -o json', {
      environment: { ...asAdmin(service().url), HOSTLER_CA_FILE },
    });
    const { user_data, token } = JSON.parse(created.stdout);
    expect(user_data).toContain(readFileSync(HOSTLER_CA_FILE, 'utf8').split('\n')[1]);
    expect((await service().get(`/api/v0/token/${token}`)).status).toBe(200);
    expect(created.stderr).toBe('');
  });

  test('user-data prints the script to stdout and notes to stderr', async () => {
    const created = await run('user-data web --uses 3 --expires 2h --cidr 127.0.0.0/8');
    expect(created.exitCode).toBe(0);
    expect(created.stdout).toMatch(/^#!\/bin\/sh\n/);
    const [, token] = /^The script contains the token (\S+): /.exec(created.stderr) ?? [];
    const { body } = await service().get(`/api/v0/token/${token}`);
    expect(body).toMatchObject({ cluster: 'web', uses: 3, cidr: '127.0.0.0/8', state: 'active' });
    const [secret = ''] = /hst_[\w-]{43}/.exec(created.stdout) ?? [];
    const enrolled = await service().put('/api/v0/host', { host_keys: [HOST_KEY] }, { as: `token:${secret}` });
    expect(enrolled.status).toBe(201);
  });

  test('user-data --legacy uses an account and reads its password from stdin', async () => {
    const created = await run('user-data web --legacy --account machine --password-stdin', {
      input: 'password of machine\n',
    });
    expect(created).toMatchObject({
      exitCode: 0,
      stderr: 'The script contains a password in clear text. Keep it secret.\n',
    });
    expect(created.stdout).toContain("\nhostler_login='machine'\n");
  });

  test.each([
    ['inventory ansible --list --host 127.9.0.1', 2, /--list and --host cannot be combined/],
    ['inventory ansible --host 127.9.0.9', 5, /127\.9\.0\.9/],
    ['inventory prometheus --port 0', 2, /from 1 to 65535/],
    ['inventory', 2, /Usage: hostler inventory/],
    ['user-data web --legacy', 2, /--legacy and --account NAME must be used together/],
    ['user-data web --ca-file /nonexistent', 2, /nonexistent/],
    ['user-data web -o name', 2, /-o name is not supported/],
    ['user-data nowhere', 5, /nowhere/],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toMatch(stderr);
    expect(result.stdout).toBe('');
  });
});
