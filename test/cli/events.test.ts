import { beforeAll, expect, test } from 'vitest';
import { fetchAuditEntries } from '../../src/cli/commands/audit.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import { describeCli } from '../harness/programs/cli.ts';
import { waitUntil } from '../harness/wait-until.ts';

describeCli('hostler audit and events', {}, (run, service) => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
    for (let count = 0; count < 12; count += 1)
      await service().put(`/api/v0/network/n${count}`, { type: 'none', options: {} });
    await service().makeHosts('active', 'web', '127.9.0.1');
    await service().store.transaction(async records => {
      const host = await records.hosts.lock('127.9.0.1' as Address);
      if (host) await records.hosts.update({ ...host, hostname: 'edge-1' });
    });
    await service().delete('/api/v0/cluster/nowhere');
    await waitUntil('all events are in the log', async () => {
      const { body } = await service().client.listAudit({ query: { type: 'host.created' } });
      return body.length > 0;
    });
  });

  test('audit list prints a table', async () => {
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
  ])('audit list %s filters entries', async (filters, subjects) => {
    const { stdout } = await run(`audit list ${filters} -o json`);
    const entries: { readonly subject: string }[] = JSON.parse(stdout);
    expect(entries.map(({ subject }) => subject)).toEqual(subjects);
  });

  test.each([
    [12, ['n11', 'n10', 'n9', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'n1', 'n0']],
    [7, ['n11', 'n10', 'n9', 'n8', 'n7', 'n6', 'n5']],
    [10, ['n11', 'n10', 'n9', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2']],
  ])('fetchAuditEntries reads a limit of %i in pages of five', async (limit, subjects) => {
    const query = { type: 'network.created', until: '2100-01-01' } as const;
    const entries = await fetchAuditEntries(service().client, query, limit, 5);
    expect(entries.map(({ subject }) => subject)).toEqual(subjects);
  });

  test.each([
    ['audit list --since soon', 2, /invalid time "soon"/],
    ['audit list --limit 0', 2, /It must be at least 1/],
    ['audit list --type nonsense', 2, /unknown type 'nonsense'\. List the types with: hostler audit list --help/],
    ['audit list --operation nothing', 5, /the operation nothing does not exist/],
    ['events --after x', 2, /It must be a whole number/],
    ['events --operation "no id"', 2, /neither an operation ID nor a cluster name/],
    ['events --server http://127.0.0.1:1', 3, /cannot reach http/],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toMatch(stderr);
  });

  /** Runs the command until `isEnough` returns true, then sends Ctrl-C. */
  async function follow(line: string, isEnough: (text: string) => boolean | Promise<boolean>) {
    let interrupt = () => {};
    let text = '';
    const result = run(line, {
      onInterruptible: stop => {
        interrupt = stop;
      },
      onStdout: stdout => {
        text = stdout;
      },
      onStderr: stderr => {
        text = stderr;
      },
    });
    await waitUntil(
      () => `the expected output, got ${text}`,
      () => isEnough(text),
    );
    interrupt();
    return result;
  }

  test('events prints one line per event until Ctrl-C', async () => {
    const { exitCode, stdout } = await follow('events --cluster web --after 0', text =>
      text.includes('cluster.created'),
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}cluster\.created {4}web {2}network: default/m);
  });

  test('people see the hostname before the address of a host, and programs only the address', async () => {
    const isEnough = (text: string) => text.includes('host.created');
    const streamed = await follow('events --host edge-1 --after 0', isEnough);
    expect(streamed.stdout).toMatch(/ {2}host\.created {7}edge-1 \(127\.9\.0\.1\) web {2}remote_user: root$/m);
    const streamedJson = await follow('events --host edge-1 --after 0 -o json', isEnough);
    expect(streamedJson.stdout).not.toContain('edge-1');
    const line = 'audit list --host edge-1 --type host.created';
    expect((await run(line)).stdout).toMatch(/ {2}host\.created {2}edge-1 \(127\.9\.0\.1\) {2}ok\n$/);
    expect((await run(`${line} -o json`)).stdout).not.toContain('edge-1');
  });

  test('events -o json prints one object per line, starting now', async () => {
    // The start of the stream cannot be observed, so events are created until one is received.
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

  test('--operation accepts an ID, a prefix or a cluster, and the full ID of a deleted operation', async () => {
    await service().put('/api/v0/cluster/idle', { network: 'default' });
    const id = getOperationId(await service().put('/api/v0/cluster/idle/restart', {}));
    for (const text of [id, id.slice(0, 10), 'idle']) {
      const { stdout } = await run(`audit list --operation ${text} --type operation.started -o json`);
      expect(JSON.parse(stdout), text).toMatchObject([{ subject: id }]);
    }
    const streamed = await follow('events --operation idle --after 0', text => text.includes(id));
    expect(streamed.stdout).toContain('operation.started');
    expect(await run('audit list --operation 0123456789abcdef')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('events warns about events that are no longer stored', async () => {
    const { stderr, exitCode } = await follow('events --after 4000000', text => text.includes('no longer stored'));
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^hostler: events after 4000000 are no longer stored\. Continuing after event \d+\n$/);
  });
});
