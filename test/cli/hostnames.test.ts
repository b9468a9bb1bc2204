// Users name hosts by their hostname. The server knows them by their address.

import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { describeCli } from '../harness/programs/cli.ts';

describeCli('hostnames in commands', {}, (run, service) => {
  const HOSTS = {
    '127.9.6.1': 'web-1',
    '127.9.6.2': 'web-2',
    '127.9.6.3': 'db',
    '127.9.6.4': 'DB',
    '127.9.6.6': 'new-6',
  };

  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
    await service().makeHosts('active', 'web', '127.9.6.1', '127.9.6.2');
    await service().makeHosts('failed', undefined, '127.9.6.3', '127.9.6.4');
    await service().put('/api/v0/cluster/new', { network: 'default' });
    await service().makeHosts('active', 'new', '127.9.6.5', '127.9.6.6');
    await service().put('/api/v0/host/127.9.6.2/labels', { rack: 'r1', zone: '' });
    await service().store.transaction(async records => {
      for (const [address, hostname] of Object.entries(HOSTS)) {
        const host = await records.hosts.lock(address as Address);
        const reason = host?.status === 'failed' ? 'auth_rejected: no' : '';
        if (host) await records.hosts.update({ ...host, hostname, os: 'debian', cpus: 4, reason });
      }
    });
  });

  test('lists show the hostname first, and why a host failed', async () => {
    expect((await run('host list')).stdout).toBe(
      [
        'HOSTNAME  ADDRESS    CLUSTER  STATUS  REASON             OS      LABELS',
        'web-1     127.9.6.1  web      active                     debian',
        'web-2     127.9.6.2  web      active                     debian  rack=r1, zone=',
        'db        127.9.6.3           failed  auth_rejected: no  debian',
        'DB        127.9.6.4           failed  auth_rejected: no  debian',
        '-         127.9.6.5  new      active',
        'new-6     127.9.6.6  new      active                     debian',
        '',
      ].join('\n'),
    );
    const wide = (await run('host list -o wide --cluster web')).stdout;
    expect(wide).toMatch(/^HOSTNAME +ADDRESS +CLUSTER +STATUS +REASON +OS +CPUS +MEMORY +DISK +LAST CHECK +LABELS\n/);
    expect((await run('cluster hosts web')).stdout).toMatch(/^HOSTNAME .*\nweb-1 .*\nweb-2 .*\n$/);
  });

  test('the JSON of a list and of a host has every column of the table', async () => {
    const columns = ['hostname', 'address', 'cluster', 'status', 'reason', 'os', 'labels', 'cpus', 'memory', 'space'];
    const [listed = {}] = JSON.parse((await run('host list --cluster web -o json')).stdout) as readonly object[];
    const shown: object = JSON.parse((await run('host show web-1 -o json')).stdout);
    for (const column of [...columns, 'last_check', 'maintenance']) {
      expect(listed).toHaveProperty(column);
      expect(Reflect.get(shown, column), column).toEqual(Reflect.get(listed, column));
    }
  });

  test.each([
    ['--hostname WEB-1', '127.9.6.1\n'],
    ['--search web', '127.9.6.1\n127.9.6.2\n'],
    ['--search rack=', '127.9.6.2\n'],
    ['--selector rack=r1,zone', '127.9.6.2\n'],
    ['-l rack=r1,zone', '127.9.6.2\n'],
    ['-l=rack=r1,zone', '127.9.6.2\n'],
    ['--selector rack=r1 --label zone=a', ''],
    ['--cluster web --sort -hostname', '127.9.6.2\n127.9.6.1\n'],
    ['--cluster new --sort hostname', '127.9.6.6\n127.9.6.5\n'],
    ['--status failed --sort -address', '127.9.6.4\n127.9.6.3\n'],
  ])('`hostler host list %s`', async (filters, stdout) => {
    expect(await run(`host list ${filters} -o name`)).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  });

  test('--sort rejects an unknown column', async () => {
    const { exitCode, stderr } = await run('host list --sort size');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /no column 'size' to sort by\. The columns are hostname, address, cluster, status, reason, os/,
    );
  });

  test.each([
    ['host show WEB-1', /^hostname: +web-1\naddress: +127\.9\.6\.1\n/],
    ['host status web-1', /^hostname: +web-1\naddress: +127\.9\.6\.1\n/],
    ['host label web-1 zone=a', /^Labels of host web-1 \(127\.9\.6\.1\): zone=a\n$/],
    ['host label web-1 zone-', /^All labels of host web-1 \(127\.9\.6\.1\) were removed\.\n$/],
    ['host maintenance web-1', /^Host web-1 \(127\.9\.6\.1\) is not in maintenance\.\n$/],
    ['host creds web-1', /^user: +root\n/],
    ['cluster leave web web-1 127.9.6.1', /^host web-1 \(127\.9\.6\.1\) removed from cluster web\n$/],
    ['cluster join web web-1', /^host web-1 \(127\.9\.6\.1\) added to cluster web\n$/],
    ['cluster set-hosts web web-1 127.9.6.2', /^cluster web now has 2 hosts\n$/],
    ['cluster policy web --order web-2,127.9.6.1', /^order: \["127\.9\.6\.2","127\.9\.6\.1"\]\n$/],
    ['cluster policy web --unset order', /^$/],
    ['restart web --hosts web-2 --dry-run', /^ORDER +HOSTNAME .*\n +1 +web-2 +127\.9\.6\.2 +active/],
    ['audit list --host web-1 --type host.created --limit 1', / {2}web-1 \(127\.9\.6\.1\) {2}ok\n$/],
    ['inventory ansible --host web-1', /"ansible_host": "127\.9\.6\.1"/],
    ['host remove web-1 -y', /^host web-1 \(127\.9\.6\.1\) removed\n$/],
  ])('`hostler %s`', async (line, stdout) => {
    const result = await run(line);
    expect(result.stderr.replace(/^(Dry run|Nothing|Cluster web has no policy).*\n|^\n/gm, ''), line).toBe('');
    expect(result.stdout).toMatch(stdout);
    expect(result.exitCode).toBe(0);
  });

  test('a question names the hostname and the address', async () => {
    const { prompts } = await run('host remove web-2 127.9.6.3', { promptAnswers: ['n'] });
    expect(prompts[0]).toMatch(/^Remove 2 hosts \(web-2 \(127\.9\.6\.2\), 127\.9\.6\.3\)\? /);
  });

  test.each(['host show db', 'host remove -y web-2 Db', 'cluster join web db', 'restart web --hosts db'])(
    '`hostler %s` names the candidates of an ambiguous hostname and changes nothing',
    async line => {
      const result = await run(line);
      expect(result).toMatchObject({ exitCode: 2, stdout: '' });
      expect(result.stderr).toMatch(
        /^hostler: several hosts have the hostname (db|Db): 127\.9\.6\.3, 127\.9\.6\.4\. Use the address of one of them\n$/,
      );
      expect((await service().get('/api/v0/host/127.9.6.2')).status).toBe(200);
    },
  );

  test('an unknown hostname changes nothing', async () => {
    const result = await run('host remove -y web-2 web-9');
    expect(result).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: 'hostler: no host has the address or hostname web-9. See: hostler host list\n',
    });
    expect((await service().get('/api/v0/host/127.9.6.2')).status).toBe(200);
  });

  test('the shell completes hostnames and addresses', async () => {
    const complete = async (words: string) => (await run(`__complete -- ${words}`)).stdout;
    expect(await complete('host show we')).toBe('web-2\t127.9.6.2, active\n');
    expect(await complete('host show 127.9.6.2')).toBe('127.9.6.2\tweb-2, active\n');
    expect(await complete('restart web --hosts web-2,d')).toBe('web-2,db\t127.9.6.3, failed\n');
  });
});
