import { beforeAll, expect, test } from 'vitest';
import { describeCli } from '../harness/programs/cli.ts';

describeCli('-o jsonpath', {}, (run, service) => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
    await service().makeHosts('active', 'web', '127.9.8.1', '127.9.8.2');
    await service().makeHosts('failed', undefined, '127.9.8.3');
  });

  test.each([
    ['host list -o jsonpath=$[*].address', '127.9.8.1\n127.9.8.2\n127.9.8.3\n'],
    ['host list -o jsonpath=$[?@.status=="failed"].address', '127.9.8.3\n'],
    ['host list -o jsonpath=$[0].cpus', '0\n'],
    ['host list -o jsonpath=$[0].labels', '{}\n'],
    ['host list -o jsonpath=$[9]', ''],
    ['host list -o=name', '127.9.8.1\n127.9.8.2\n127.9.8.3\n'],
    ['host list -o=jsonpath=$[0].address', '127.9.8.1\n'],
    ['cluster show web -o jsonpath=$.hosts.total', '2\n'],
    ['cluster show web --output=jsonpath=$.hosts', '{"total":2,"available":2,"unavailable":0}\n'],
    ['host label 127.9.8.1 zone=a -o jsonpath=$.zone', 'a\n'],
  ])('`hostler %s`', async (line, stdout) => {
    // Quotation marks separate words in `run`.
    expect(await run(line.replaceAll('"', "'"))).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  });

  test.each([
    ['jsonpath=$[', /invalid JSONPath query '\$\[': .*\. An example: -o jsonpath='\$\[\*\]\.address'\n$/],
    ['jsonpath=', /unknown output format 'jsonpath='\. The formats are table, wide, json, yaml, name, and for example/],
    ['xml', /unknown output format 'xml'/],
  ])('rejects `-o %s` before it changes anything', async (format, stderr) => {
    const result = await run(`host remove 127.9.8.1 --yes -o ${format}`);
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(stderr);
    expect((await service().get('/api/v0/host/127.9.8.1')).status).toBe(200);
  });
});
