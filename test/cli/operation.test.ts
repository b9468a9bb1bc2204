import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { HOST_PHASES } from '../../src/domain/vocabulary.ts';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { listen } from '../harness/http/sockets.ts';
import { createHome, describeCli } from '../harness/programs/cli.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { waitUntil } from '../harness/wait-until.ts';

const fleet = createFleet();
const options = { overrides: { transport: fleet.transport } };

describeCli('hostler restart, upgrade, deploy and operation', options, (run, service) => {
  beforeAll(async () => {
    await createActiveCluster(service().client, 'web', addHosts(fleet, ['127.9.1.1', '127.9.1.2']));
    await createActiveCluster(service().client, 'db', addHosts(fleet, ['127.9.2.1']));
  });

  const idOf = async (line: string) => (await run(`${line} -o name`)).stdout.trim();
  const waitForState = (id: string, state: string) =>
    waitUntil(`${id} is ${state}`, async () => {
      const { body } = await service().client.getOperation({ id });
      return body.state === state && body;
    });

  test('--follow prints the phases of each host in order if stdout is not a terminal', async () => {
    const { stdout, exitCode } = await run('restart web --max-unavailable 100% --min-healthy 0 --follow');
    const normalized = stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME');
    expect(exitCode).toBe(0);
    expect(normalized).toMatch(
      /^TIME {2}restart of web (planned|running); 0 of 2 hosts done(; checking host-127-9-1-1 \(127\.9\.1\.1\), host-127-9-1-2 \(127\.9\.1\.2\))?\n/,
    );
    for (const number of [1, 2]) {
      const line = new RegExp(`TIME {2}host-127-9-1-${number} \\(127\\.9\\.1\\.${number}\\) (\\w+)\n`, 'g');
      const states = [...normalized.matchAll(line)].map(match => match[1]);
      const phases = states.filter(state => state !== 'queued');
      // A phase that ends between two reads of the record is missing.
      expect(phases).toEqual(HOST_PHASES.filter(phase => phases.includes(phase)));
      expect(phases.length).toBeGreaterThan(1);
      expect(phases.at(-1)).toBe('done');
    }
    expect(normalized).toMatch(/\nrestart of web finished in \d+s: 2 of 2 hosts done\n$/);
  });

  test('follow -o json prints only the final record', async () => {
    const { stdout, stderr } = await run('operation follow web -o json');
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'restart', state: 'finished', counts: { done: 2 } });
    expect(stderr).toMatch(/restart of web finished; 2 of 2 hosts done\n$/);
  });

  test('--dry-run prints the plan with problems and changes nothing', async () => {
    const before = await run('operation list -o name --all');
    const plan = await run('restart web --dry-run');
    expect(plan.exitCode).toBe(0);
    expect(plan.stdout.replace(/\d+ lines/, 'N lines')).toBe(
      [
        'ORDER  HOSTNAME        ADDRESS    STATUS  OS      ACTIONS',
        '    1  host-127-9-1-1  127.9.1.1  active  debian  reboot',
        '    2  host-127-9-1-2  127.9.1.2  active  debian  reboot',
        '',
        'Commands on host-127-9-1-1 and 1 other host:',
        '  reboot  reboot script (N lines)',
        '',
      ].join('\n'),
    );
    expect((await run('restart web --dry-run -o wide')).stdout).toMatch(
      /\n {2}reboot {2}reboot script \(\d+ lines\), arguments: reboot_<operation>_1_<boot id> <boot id> '<uptime in seconds \+ 60>'\n {12}LC_ALL=C\n {12}export LC_ALL\n/,
    );
    expect(plan.stderr).toMatch(
      /^Dry run: this restart would start now\. Restarts all 2 hosts of web, one at a time, about a minute\.\nNothing was changed\.\n/,
    );
    const withProblem = await run('deploy db --version 1 --dry-run');
    expect(withProblem.stdout).toMatch(/1 {2}127\.9\.2\.1 {2}active {2}debian {2}✗ not_image_based: /);
    const json = await run('deploy db --version 1 --dry-run -o json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      dry_run: true,
      version: '1',
      hosts: [{ commands: [] }],
    });
    expect((await run('operation list -o name --all')).stdout).toBe(before.stdout);
  });

  test('finds an operation by cluster, ID or ID prefix and shows its hosts', async () => {
    const id = await idOf('operation show web');
    expect(await idOf(`operation show ${id}`)).toBe(id);
    expect(await idOf(`operation show ${id.slice(0, 10)}`)).toBe(id);
    const { stdout } = await run('operation show web');
    expect(stdout).toContain(
      `id:       ${id}\nkind:     restart\ncluster:  web\nstate:    finished\nhosts:    2: 2 done\n`,
    );
    expect(stdout).toMatch(
      /HOSTNAME +ADDRESS +STATE {2}DURATION {2}DETAIL\nhost-127-9-1-1 {2}127\.9\.1\.1 {2}done +\d+s\nhost-127-9-1-2 {2}127\.9\.1\.2 {2}done +\d+s\n/,
    );
    expect((await run('operation list --state finished --limit 1 -o name')).stdout).toBe(`${id}\n`);
    expect((await run('operation list --state paused -o name')).stdout).toBe('');
    expect(await run('operation list --limit 0')).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining('It must be at least 1.') },
    });
    const listed = await run('operation list --cluster web --limit 1');
    expect(listed.stdout).toMatch(
      new RegExp(
        `^ID +KIND +CLUSTER +STATE +DONE +FAILED +STARTED +PROBLEM\n${id}  restart  web +finished +2/2 .*ago\n$`,
      ),
    );
  });

  test('--follow exits with 1 if the operation fails, and retry restarts it', async () => {
    const failed = await run('deploy db --version 1 --follow');
    expect(failed.exitCode).toBe(1);
    expect(failed.stdout).toMatch(/host-127-9-2-1 \(127\.9\.2\.1\) failed: not_image_based: /);
    expect(failed.stderr).toMatch(
      /deploy of db failed in \d+s: 0 of 1 host done, 1 failed\nReason: too_many_failures: .*\nRetry with: hostler operation retry \S+\n$/,
    );
    const { stdout } = await run('operation retry db 127.9.2.1');
    expect(stdout).toMatch(/^deploy of db \(\S+\) is running\n$/);
    const { hosts } = await waitForState(await idOf('operation show db'), 'failed');
    expect(hosts).toMatchObject([{ attempt: 2 }]);
  });

  test('--follow exits with 1 if the operation completes with tolerated failures', async () => {
    const { exitCode, stderr, stdout } = await run('deploy db --version 1 --max-failures 1 --follow');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^hostler: deploy of db completed with failures in \d+s: 0 of 1 host done, 1 failed\n/);
    expect(stdout).not.toContain('completed');
    const json = await run('operation follow db -o json');
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ state: 'finished', counts: { failed: 1 } });
    expect((await run('operation list --cluster db --limit 1')).stdout).toMatch(/db +completed with failures +0\/1 +1/);
  });

  test('--follow waits while the operation is paused by failures', async () => {
    const pausedId = Promise.withResolvers<string>();
    const line = 'upgrade db --check not-there --timeout ready=1 --on-failure pause --min-healthy 0 --follow';
    const following = run(line, {
      onStdout: text => {
        const [, id] = /run one of: hostler operation retry\|skip\|resume\|cancel (\S+)\n/.exec(text) ?? [];
        if (id !== undefined) pausedId.resolve(id);
      },
    });
    expect((await run(`operation cancel ${await pausedId.promise}`)).stdout).toMatch(
      /^upgrade of db .* is cancelling\n$/,
    );
    const { exitCode, stdout, stderr } = await following;
    expect(stdout).toMatch(/paused because hosts failed: too_many_failures: 1 failed, at most 0 allowed;/);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/upgrade of db cancelled in \d+s: 0 of 1 host done, 1 failed/),
    ]);
  });

  test('logs prints the output of all hosts or one, of all steps or one', async () => {
    const all = (await run('operation logs db')).stdout;
    expect(all).toMatch(/^==> host-127-9-2-1 stage, [\d-]+ [\d:]+ UTC <==\n/);
    const single = (await run('operation logs db 127.9.2.1 --step apply')).stdout;
    expect(single).toMatch(/^==> host-127-9-2-1 apply, [\d-]+ [\d:]+ UTC <==\n/);
    expect(single).not.toContain(' stage, ');
    expect(await run('operation logs db --step none')).toMatchObject({ stdout: '', exitCode: 0 });
  });

  test('starts one operation per cluster, finds the running one, and Ctrl-C only stops following', async () => {
    await run('operation pause-all');
    const { stdout } = await run('restart web --min-healthy 0');
    const [, id = ''] = /^restart of web started on 2 hosts: operation (\S+)\n/.exec(stdout) ?? [];
    expect(stdout).toContain(`\nFollow it with: hostler operation follow ${id}\n`);
    const repeated = await run('restart web --min-healthy 0');
    expect(repeated.stdout).toContain(`restart of web is already running: operation ${id}\n`);
    expect(await run('upgrade web')).toMatchObject({ exitCode: 4, stderr: expect.stringContaining(id) });
    expect((await run('operation pause-status')).stdout).toBe(
      'All operations are paused. Resume them with: hostler operation resume-all\n',
    );
    let interrupt = () => {};
    const interrupted = await run('operation follow web', {
      columns: 80,
      onInterruptible: press => {
        interrupt = press;
      },
      onStdout: text => {
        if (text.includes('paused by a user: all operations are ')) interrupt();
      },
    });
    expect([interrupted.exitCode, interrupted.stderr]).toEqual([
      130,
      `Stopped following; the operation continues. Follow it again with: hostler operation follow ${id}\n`,
    ]);
    expect(interrupted.stdout).toContain('0 of 2 done, 2 remaining');
    expect(interrupted.stdout).toMatch(/\[\?25h$/);
    expect((await run('operation resume web')).stderr).toMatch(
      /^hostler: cannot resume operation \S+: all operations are paused; resume them with: hostler operation resume-all \(invalid_state, /,
    );
    expect((await run('operation pause web')).stdout).toMatch(/is paused\n$/);
    expect((await run('operation resume-all')).stdout).toBe('Operations are not paused globally.\n');
    expect((await run('operation resume web')).stdout).toMatch(/is (running|planned)\n$/);
    expect((await run('operation cancel web')).exitCode).toBe(0);
    await waitForState(id, 'cancelled');
    expect((await run(`operation skip ${id} 127.9.2.1`)).stderr).toMatch(
      /^hostler: cannot skip hosts of operation \S+: it was cancelled \(invalid_state, /,
    );
  });

  test('starts one operation if the first response is lost', async () => {
    await service().client.putCluster({ name: 'empty', body: { network: 'default' } });
    const keys: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      const options = { method: request.method ?? '', headers: request.headers };
      const upstream = httpRequest(new URL(request.url ?? '', service().url), options, upstreamResponse => {
        const key = request.headers['idempotency-key']?.toString();
        const isRepeated = keys.includes(key);
        if (request.method === 'PUT') keys.push(key);
        if (!isRepeated && request.method === 'PUT') return response.destroy();
        // The HTTP client itself would repeat a request on a keep-alive connection.
        response.writeHead(upstreamResponse.statusCode ?? 0, {
          ...upstreamResponse.headers,
          connection: 'close',
        });
        return upstreamResponse.pipe(response);
      });
      request.pipe(upstream);
    });
    onTestFinished(() => void proxy.close());
    const server = `http://127.0.0.1:${await listen(proxy)}`;
    const { stdout, stderr } = await run(`restart empty --server ${server}`);
    expect(stderr).toBe('hostler: warning: cluster empty has no members\n');
    expect(stdout).toMatch(/^restart of empty started on 0 hosts: operation /);
    // The dry run is also sent twice, with another key.
    expect([keys.length, new Set(keys).size, keys[0]?.length]).toEqual([4, 2, 36]);
    expect((await run('operation list --cluster empty -o name')).stdout).toMatch(/^\S+\n$/);
  });

  test('cluster policy prints and changes the policy', async () => {
    const file = path.join(await createHome(), 'policy.yaml');
    writeFileSync(file, 'canary: 1\nmin_healthy_s: 5\n');
    const steps: readonly [string, object][] = [
      ['cluster policy db', {}],
      ['cluster policy db --max-unavailable 25%', { max_unavailable: '25%' }],
      ['cluster policy db --canary 2', { max_unavailable: '25%', canary: 2 }],
      ['cluster policy db --unset max_unavailable', { canary: 2 }],
      [`cluster policy db --policy ${file} --ramp`, { canary: 1, min_healthy_s: 5, ramp: true }],
      ['cluster policy db --unset canary --unset ramp --unset min_healthy_s', {}],
    ];
    for (const [line, expected] of steps)
      expect(JSON.parse((await run(`${line} -o json`)).stdout), line).toEqual(expected);
    expect((await run('cluster policy --help')).stdout).toContain('\nPolicy fields to set (');
    expect((await run('cluster policy db --canary 2')).stdout).toBe('canary: 2\n');
    expect((await run('cluster policy db --unset canary')).stderr).toContain('Cluster db has no policy: ');
  });

  test('warns if no member has the labels of the policy', async () => {
    for (const flags of ['--dry-run', '']) {
      const { exitCode, stderr } = await run(`restart web --label foo=bar --label a ${flags}`);
      expect(exitCode).toBe(0);
      expect(stderr).toContain('hostler: warning: no member of cluster web has the labels a and foo=bar\n');
    }
  });

  test.each([
    ['deploy web', 2, /required option '--version <version>' not specified/],
    ['restart nowhere', 5, /the cluster nowhere does not exist/],
    ['restart web --max-unavailable 0', 2, /--max-unavailable must be/],
    ['restart web --max-unavailable few', 2, /It must be a whole number or a percentage, for example 3 or 25%\./],
    ['restart web --canary -1', 2, /'--canary <n>' argument '-1' is invalid\. It must be a whole number, 0 or more\./],
    ['restart web --check ""', 2, /'' is invalid\. It must be a command\. Use --no-check for none\./],
    ['restart web --label =x', 2, /argument '=x' is invalid\. It must be key=value or key\. The key must be/],
    [
      'restart web --window "mon 22:00-22:00 Europe/Nope"',
      4,
      /^hostler: the time zone of --window must be an IANA time zone, such as Europe\/Berlin \(/,
    ],
    ['deploy web --version ""', 4, /^hostler: --version must be one line of 1 to 512 characters \(/],
    ['restart web --reboot never', 4, /^hostler: --reboot must not be .?never.* \(invalid_body, request /],
    ['restart web --min-healthy 2h', 4, /^hostler: --min-healthy must be less than --timeout ready/],
    ['operation show nothing', 5, /the operation nothing does not exist: no operation ID starts with it/],
    ['operation show a/b', 2, /neither an operation ID nor a cluster name/],
    ['operation pause db', 4, /invalid_state/],
    ['operation logs web 127.9.9.9', 5, /not_found/],
    ['cluster policy web --unset nothing', 2, /The fields are max_unavailable/],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line);
    expect([result.exitCode, result.stdout]).toEqual([exitCode, '']);
    expect(result.stderr).toMatch(stderr);
  });

  test.each([
    ['restart web', 'the server returned no plan. See: hostler operation list'],
    ['restart web --yes', 'the server returned no operation ID. See: hostler operation list'],
  ])('`hostler %s` names the list of operations if the response is incomplete', async (line, message) => {
    const server = createServer((_request, response) => response.end('{}'));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const result = await run(`${line} --server http://127.0.0.1:${await listen(server)}`);
    expect(result).toMatchObject({ exitCode: 1, stdout: '', stderr: `hostler: ${message}\n` });
  });

  test('version, --version and -v print the program version, and deploy --version sets its own', async () => {
    for (const line of ['version', '--version', '-v']) expect((await run(line)).stdout).toBe('0.0.0\n');
    const { stdout } = await run('deploy db --version 2.5 --dry-run -o json');
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'deploy', version: '2.5' });
  });
});
