import { beforeAll, expect, test } from 'vitest';
import { fetchAuditEntries } from '../../src/cli/commands/audit.ts';
import { describeCli } from '../harness/programs/cli.ts';
import { until } from '../harness/until.ts';

describeCli('hostler audit and events', {}, (run, service) => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
    for (let count = 0; count < 12; count += 1)
      await service().put(`/api/v0/network/n${count}`, { type: 'none', options: {} });
    await service().makeHosts('active', 'web', '127.9.0.1');
    await service().delete('/api/v0/cluster/nowhere');
    await until('all is in the log', async () => {
      const { body } = await service().client.listAudit({ query: { type: 'host.created' } });
      return body.length > 0;
    });
  });

  test('the audit log is a table of who did what', async () => {
    const { stdout } = await run('audit list --cluster web --type cluster.created');
    expect(stdout).toMatch(
      /^TIME {21}ACCOUNT {2}ADDRESS {4}EVENT {12}SUBJECT {2}RESULT\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}admin {4}127\.0\.0\.1 {2}cluster\.created {2}web {6}ok\n$/,
    );
  });

  test.each([
    ['--type network.created --limit 5', ['n11', 'n10', 'n9', 'n8', 'n7']],
    ['--subject n3', ['n3']],
    ['--host 127.9.0.1', ['127.9.0.1']],
    ['--since 1h --actor admin --type cluster.created', ['web']],
    ['--until 1h', []],
    ['--since 2000-01-01 --type cluster.created', ['web']],
  ])('audit list %s filters', async (filters, subjects) => {
    const { stdout } = await run(`audit list ${filters} -o json`);
    const found: { readonly subject: string }[] = JSON.parse(stdout);
    expect(found.map(({ subject }) => subject)).toEqual(subjects);
  });

  test.each([
    [12, ['n11', 'n10', 'n9', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'n1', 'n0']],
    [7, ['n11', 'n10', 'n9', 'n8', 'n7', 'n6', 'n5']],
    [10, ['n11', 'n10', 'n9', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2']],
  ])('a limit of %i is read in pages of five', async (limit, subjects) => {
    const query = { type: 'network.created', until: '2100-01-01' } as const;
    const found = await fetchAuditEntries(service().client, query, limit, 5);
    expect(found.map(({ subject }) => subject)).toEqual(subjects);
  });

  test.each([
    ['audit list --since soon', 2, /invalid time "soon"/],
    ['audit list --limit 0', 2, /It must be at least 1/],
    [
      'audit list --type nonsense',
      2,
      /unknown type 'nonsense'\. List the types with: hostler audit list --help/,
    ],
    ['audit list --operation nothing', 4, /the operation nothing does not exist/],
    ['events --after x', 2, /It must be a whole number/],
    ['events --operation "no id"', 2, /neither an operation ID nor a cluster name/],
    ['events --server http://127.0.0.1:1', 3, /cannot reach http/],
  ])('%s ends with %i', async (line, exitCode, stderr) => {
    const ran = await run(line);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toMatch(stderr);
  });

  /** Follows until the text is there, then presses Ctrl-C. */
  async function follow(line: string, isEnough: (text: string) => boolean | Promise<boolean>) {
    let interrupt = () => {};
    let text = '';
    const ran = run(line, {
      onInterruptible: stop => {
        interrupt = stop;
      },
      onWrite: stdout => {
        text = stdout;
      },
      onTell: stderr => {
        text = stderr;
      },
    });
    await until(
      () => `enough of ${text}`,
      () => isEnough(text),
    );
    interrupt();
    return ran;
  }

  test('events are a line each, until Ctrl-C', async () => {
    const { exitCode, stdout } = await follow('events --cluster web --after 0', text =>
      text.includes('cluster.created'),
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}cluster\.created {4}web {2}network: default/m,
    );
  });

  test('programs get one object in each line, from now on', async () => {
    // Nobody tells when the following has begun, so there is news until one is seen.
    let count = 0;
    const { stdout } = await follow('events -o json', async text => {
      count += 1;
      await service().put(`/api/v0/network/late${count}`, { type: 'none', options: {} });
      return text.includes('"late');
    });
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(events[0]).toMatchObject({
      type: 'network.created',
      data: { name: expect.stringMatching(/^late/) },
    });
  });

  test('an operation is named as everywhere; a whole id also when it is not kept any more', async () => {
    await service().put('/api/v0/cluster/idle', { network: 'default' });
    const { headers } = await service().put('/api/v0/cluster/idle/restart', {});
    const id = headers.get('location')?.split('/').at(-1) ?? '';
    for (const text of [id, id.slice(0, 10), 'idle']) {
      const { stdout } = await run(`audit list --operation ${text} --type operation.started -o json`);
      expect(JSON.parse(stdout), text).toMatchObject([{ subject: id }]);
    }
    const followed = await follow('events --operation idle --after 0', text => text.includes(id));
    expect(followed.stdout).toContain('operation.started');
    expect(await run('audit list --operation 0123456789abcdef')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('what is not kept any more is told', async () => {
    const { stderr, exitCode } = await follow('events --after 4000000', text =>
      text.includes('no longer stored'),
    );
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /^hostler: events after 4000000 are no longer stored\. Continuing after event \d+\n$/,
    );
  });
});
