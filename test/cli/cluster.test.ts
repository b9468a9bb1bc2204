import { beforeAll, expect, test } from 'vitest';
import { describeCli } from '../harness/programs/cli.ts';

describeCli('hostler cluster', {}, (run, service) => {
  beforeAll(async () => {
    await service().makeHosts('active', undefined, '127.9.0.1', '127.9.0.2', '127.9.0.3');
  });

  test('creates, lists, changes and removes a cluster', async () => {
    const steps: readonly [string, string][] = [
      ['cluster create web', 'cluster web created\n'],
      ['cluster create web', 'cluster web already exists\n'],
      [
        'cluster join web 127.9.0.1 127.9.0.2',
        'host 127.9.0.1 added to cluster web\nhost 127.9.0.2 added to cluster web\n',
      ],
      ['cluster leave web 127.9.0.2', 'host 127.9.0.2 removed from cluster web\n'],
      ['cluster leave web 127.9.0.2', 'host 127.9.0.2 is not a member of cluster web\n'],
      ['cluster set-hosts web 127.9.0.2 127.9.0.3', 'cluster web now has 2 hosts\n'],
      ['cluster hosts web -o name', '127.9.0.2\n127.9.0.3\n'],
      ['cluster list -o name', 'web\n'],
      ['cluster remove web --yes', 'cluster web removed\n'],
      ['cluster list', ''],
    ];
    for (const [line, stdout] of steps) expect(await run(line), line).toMatchObject({ exitCode: 0, stdout });
  });

  test('prints clusters as a table, and one cluster as fields, JSON or YAML', async () => {
    await run('cluster create db');
    await run('cluster join db 127.9.0.1');
    const { stdout } = await run('cluster list');
    expect(stdout).toBe('NAME  STATUS  HOSTS  NETWORK  CONTAINER MANAGER\ndb    ok        1/1  default\n');
    const text = await run('cluster show db');
    expect(text.stdout).toBe('name:    db\nstatus:  ok\nhosts:   1 of 1 available\nnetwork: default\n');
    const json = await run('cluster show db -o json');
    expect(JSON.parse(json.stdout)).toMatchObject({ name: 'db', hosts: { total: 1 } });
    const yaml = await run('cluster show db -o yaml');
    expect(yaml.stdout).toContain('name: db\n');
    await run('cluster remove db --yes');
  });

  test('asks before removing all hosts from a cluster', async () => {
    await run('cluster create full');
    await run('cluster join full 127.9.0.1');
    expect(await run('cluster set-hosts full')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'Remove all 1 host from cluster full? Confirm with --yes (no terminal to prompt on)',
      ),
    });
    expect((await run('cluster hosts full -o name')).stdout).toBe('127.9.0.1\n');
    expect(await run('cluster set-hosts full --yes')).toMatchObject({
      stdout: 'cluster full now has 0 hosts\n',
    });
    await run('cluster remove full --yes');
  });

  test('asks before removing a cluster and keeps it after "no"', async () => {
    await run('cluster create kept');
    const declined = await run('cluster remove kept', { promptAnswers: ['n'] });
    expect(declined).toMatchObject({
      exitCode: 1,
      prompts: ['Remove cluster kept? [y/N] '],
      stderr: 'hostler: cancelled, nothing was changed\n',
    });
    expect(await run('cluster remove kept')).toMatchObject({ exitCode: 2 });
    expect(await run('cluster remove kept', { promptAnswers: ['y'] })).toMatchObject({ exitCode: 0 });
  });

  test('continues after a failed host and prints one JSON list', async () => {
    await run('cluster create api');
    const joined = await run('cluster join api 127.9.0.1 127.9.9.9 127.9.0.2 -o json');
    expect(joined.exitCode).toBe(4);
    expect(joined.stderr).toMatch(/^hostler: 127\.9\.9\.9: .*\nhostler: failed for 1 of 3 hosts\n$/);
    expect(JSON.parse(joined.stdout)).toEqual(['127.9.0.1', '127.9.0.2']);
    expect((await run('cluster hosts api -o name')).stdout).toBe('127.9.0.1\n127.9.0.2\n');
    const removed = await run('cluster leave api 127.9.0.1 127.9.0.2 -o name');
    expect(removed).toMatchObject({ exitCode: 0, stdout: '127.9.0.1\n127.9.0.2\n' });
    const single = await run('cluster join api 127.9.0.1 -o json');
    expect(JSON.parse(single.stdout)).toEqual(['127.9.0.1']);
    await run('cluster remove api --yes');
  });

  test.each([
    ['cluster show nowhere', 5, /the cluster nowhere does not exist.*\(not_found, request /],
    ['cluster remove nowhere', 5, /the cluster nowhere does not exist/],
    [
      'cluster join nowhere 127.9.0.1 127.9.0.2',
      5,
      /^hostler: the cluster nowhere does not exist\. See: hostler cluster list .*\n$/,
    ],
    ['cluster leave nowhere 127.9.0.1', 5, /the cluster nowhere does not exist/],
    ['host show web-01', 5, /no host has the address or hostname web-01\. See: hostler host list/],
    ['cluster create other --network nowhere', 4, /the network nowhere does not exist; create it first/],
    ['cluster hosts nowhere', 5, /the cluster nowhere does not exist/],
    ['cluster create a/b', 4, /^hostler: /],
    ['cluster create', 2, /missing required argument 'cluster'/],
    ['cluster', 2, /Usage: hostler cluster/],
    ['clutser list', 2, /unknown command 'clutser'/],
    ['host enrol 127.0.0.1', 2, /unknown command 'host enrol'\. Did you mean: hostler host add HOST\?/],
    ['cluster status web', 2, /Did you mean: hostler cluster show CLUSTER\?/],
    ['cluster shwo --help', 2, /unknown command 'cluster shwo'\. List the commands with: hostler cluster --help/],
    ['clutser --help', 2, /unknown command 'clutser'\. List the commands with: hostler --help/],
    [
      'host show web,01',
      2,
      /'web,01' is neither an IP address nor a hostname\. List the hosts with: hostler host list/,
    ],
    [
      'cluster list --server http://127.0.0.1:1',
      3,
      /cannot reach http:\/\/127\.0\.0\.1:1: .*\. Check that the server is running/,
    ],
    ['cluster list --user else', 4, /wrong account name or password\. Log in with: hostler login \(unauthorized, /],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toMatch(stderr);
    expect(result.stdout).toBe('');
  });
});
