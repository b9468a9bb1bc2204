// Commands when unavailable hosts already use all slots: their prompts, output and exit codes before the
// start and after a failure.

import { beforeAll, describe, expect, test } from 'vitest';
import { toWireTime, utcTime } from '../../src/sdk/format.ts';
import { createActiveCluster } from '../harness/active-cluster.ts';
import type { Rewrite } from '../harness/http/rewriting-proxy.ts';
import { startRewritingProxy } from '../harness/http/rewriting-proxy.ts';
import { describeCli } from '../harness/programs/cli.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';

const fleet = createFleet();
const options = { overrides: { transport: fleet.transport } };

const startOfTodayMs = new Date().setHours(0, 0, 0, 0);
const today = toWireTime(startOfTodayMs);
const yesterday = toWireTime(startOfTodayMs - 60_000);

const DOWN = { address: '127.9.5.2', hostname: '', reason: 'unreachable', detail: 'connection refused', since: today };
const IN_MAINTENANCE = { address: '127.9.5.3', hostname: '', reason: 'maintenance', detail: '', since: yesterday };
const FAILED = { address: '127.9.5.9', hostname: '', reason: 'failed', detail: '', since: null };

const isDryRun = (body: unknown) => JSON.stringify(body)?.includes('"dry_run":true') === true;

/** Dry runs report that these hosts prevent the start. */
const blocking =
  (hosts: readonly object[], policy: object = {}): Rewrite =>
  ({ body }, plan) =>
    isDryRun(body)
      ? { ...plan, would_start: false, blocked_by: hosts, policy: { ...Object(plan['policy']), ...policy } }
      : undefined;

describeCli('an operation that unavailable hosts block', options, (run, service) => {
  beforeAll(async () => {
    await createActiveCluster(service().client, 'web', addHosts(fleet, ['127.9.5.1', '127.9.5.2', '127.9.5.3']));
  });

  /**
   * Runs a command against the server with rewritten responses. `started` contains the bodies of requests
   * that start an operation.
   */
  async function runBlocked(line: string, rewrite: Rewrite, promptAnswers?: readonly string[]) {
    const { url, requests } = await startRewritingProxy(service().url, rewrite);
    const result = await run(`${line} --server ${url}`, promptAnswers && { promptAnswers });
    const started = requests.filter(({ method, body }) => method === 'PUT' && !isDryRun(body)).map(({ body }) => body);
    return { ...result, requests, started };
  }

  const cancelOperation = async () => {
    const [newest] = (await service().client.listOperations({ query: { cluster: 'web', limit: 1 } })).body;
    if (newest?.status === 'in_process') await run('operation cancel web');
    await run('operation follow web');
  };

  describe('on a terminal', () => {
    test('asks whether to exclude one host, and starts without it after yes', async () => {
      const result = await runBlocked('restart web --min-healthy 0', blocking([DOWN]), ['y']);
      expect(result.prompts).toEqual([
        `127.9.5.2 is unreachable (since ${utcTime(today)}: connection refused) and uses the only slot (--max-unavailable 1). Exclude it? [y/N] `,
      ]);
      expect(result.started).toEqual([{ policy: { min_healthy_s: 0, unhealthy: 'exclude' } }]);
      expect([result.exitCode, result.stdout]).toEqual([0, expect.stringMatching(/^restart of web started on /)]);
      await cancelOperation();
    });

    test('lists several hosts, explains a higher max_excluded, and sends it after yes', async () => {
      const rewrite = blocking([DOWN, IN_MAINTENANCE], { max_unavailable: '50%' });
      const result = await runBlocked('restart web --min-healthy 0', rewrite, ['yes']);
      expect(result.stderr).toBe(
        [
          `127.9.5.2 is unreachable (since ${utcTime(today)}: connection refused)`,
          `127.9.5.3 is in maintenance (since ${utcTime(yesterday)})`,
          '',
        ].join('\n'),
      );
      expect(result.prompts).toEqual([
        'These 2 hosts use all slots (--max-unavailable 50%: 1 host). Excluding them raises --max-excluded from 10% (1 host) to 2 for this operation. Exclude them? [y/N] ',
      ]);
      expect(result.started).toEqual([{ policy: { min_healthy_s: 0, unhealthy: 'exclude', max_excluded: 2 } }]);
      await cancelOperation();
    });

    test('starts nothing after no, names the other flags and exits with 1', async () => {
      const result = await runBlocked('restart web', blocking([DOWN]), ['']);
      expect([result.exitCode, result.stdout, result.started]).toEqual([1, '', []]);
      expect(result.stderr).toBe(
        [
          'hostler: nothing was started. Other flags that help:',
          '  --max-unavailable 2  allow 2 unavailable hosts at a time',
          '  --wait-for-hosts     wait up to 10m for this host',
          '  --yes                start anyway; the operation fails at once',
          '',
        ].join('\n'),
      );
    });
  });

  describe('without a terminal', () => {
    test('starts nothing, names one host and the flags, and exits with 4', async () => {
      const result = await runBlocked('restart web', blocking([DOWN], { on_failure: 'pause' }));
      expect([result.exitCode, result.stdout, result.started]).toEqual([4, '', []]);
      expect(result.stderr).toBe(
        [
          `hostler: restart of web was not started: 127.9.5.2 is unreachable (since ${utcTime(today)}: connection refused) and uses the only slot (--max-unavailable 1).`,
          'Add one of these flags:',
          '  --unhealthy exclude  run without this host',
          '  --max-unavailable 2  allow 2 unavailable hosts at a time',
          '  --wait-for-hosts     wait up to 10m for this host',
          '  --yes                start anyway; the operation pauses at once',
          '',
        ].join('\n'),
      );
    });

    test('names each of several hosts, also for a policy that excludes too few', async () => {
      const result = await runBlocked('upgrade web --unhealthy exclude', blocking([DOWN, IN_MAINTENANCE, FAILED]));
      expect([result.exitCode, result.started]).toEqual([4, []]);
      expect(result.stderr).toBe(
        [
          'hostler: upgrade of web was not started: 3 hosts exceed --max-excluded 10% (1 host):',
          `  127.9.5.2 is unreachable (since ${utcTime(today)}: connection refused)`,
          `  127.9.5.3 is in maintenance (since ${utcTime(yesterday)})`,
          '  127.9.5.9 has status failed',
          'Add one of these flags:',
          '  --unhealthy exclude --max-excluded 3   run without these 3 hosts',
          '  --unhealthy count --max-unavailable 4  allow 4 unavailable hosts at a time',
          '  --yes                                  start anyway; the operation fails at once',
          '',
        ].join('\n'),
      );
    });
  });

  test.each<[string, string, Rewrite]>([
    ['--yes, which skips the dry run', 'restart web --min-healthy 0 --yes', blocking([DOWN])],
    ['a policy that waits', 'restart web --min-healthy 0 --wait-for-hosts', blocking([DOWN])],
    [
      'an operation blocked for another reason',
      'restart web --min-healthy 0',
      ({ body }, plan) => (isDryRun(body) ? { ...plan, would_start: false, blocked_by: [] } : undefined),
    ],
    [
      'an operation that can start with unavailable hosts',
      'restart web --min-healthy 0',
      ({ body }, plan) => (isDryRun(body) ? { ...plan, would_start: true, blocked_by: [DOWN] } : undefined),
    ],
  ])('is sent unchanged for %s', async (_case, line, rewrite) => {
    const result = await runBlocked(line, rewrite);
    expect([result.exitCode, result.started.length, result.stderr]).toEqual([0, 1, '']);
    const putRequests = result.requests.filter(({ method }) => method === 'PUT');
    expect(putRequests).toHaveLength(line.includes('--yes') ? 1 : 2);
    await cancelOperation();
  });

  test('starts an operation that would fail in preflight, with a warning', async () => {
    const detail = '1 host would fail in preflight, and max_failures allows 0';
    const result = await runBlocked('restart web --min-healthy 0', ({ body }, plan) =>
      isDryRun(body) ? { ...plan, would_fail: true, detail } : undefined,
    );
    expect([result.exitCode, result.started.length]).toEqual([0, 1]);
    expect(result.stderr).toBe(
      'Warning: the operation will fail: 1 host would fail in preflight, and --max-failures allows 0.\n',
    );
    await cancelOperation();
  });

  test.each([
    ['without a detail', '', []],
    ['with a detail about something else', 'the control plane is not known', ['Note: the control plane is not known']],
  ])('a dry run %s lists each blocking host once', async (_case, detail, notes) => {
    const block = blocking([DOWN]);
    const result = await runBlocked('restart web --dry-run', (request, plan) => block(request, { ...plan, detail }));
    expect([result.exitCode, result.started]).toEqual([0, []]);
    expect(result.stderr).toBe(
      [
        'Dry run: this restart would fail at once: 1 host is already unavailable (--max-unavailable is 1).',
        'Nothing was changed.',
        ...notes,
        'Unavailable hosts:',
        `  127.9.5.2 is unreachable (since ${utcTime(today)}: connection refused)`,
        'Flags that help:',
        '  --unhealthy exclude  run without this host',
        '  --max-unavailable 2  allow 2 unavailable hosts at a time',
        '  --wait-for-hosts     wait up to 10m for this host',
        '  --yes                start anyway; the operation fails at once',
        '',
        '',
        'Print the scripts with -o wide.',
        '',
      ].join('\n'),
    );
  });

  const EXHAUSTED =
    'budget_exhausted: 127.9.5.2 (unreachable since 2026-11-16 12:03:05 UTC: connection refused), 127.9.5.3 (in maintenance) use all slots (max_unavailable 1); exclude unhealthy hosts (unhealthy: exclude), raise max_unavailable, or wait for them (wait: true)';

  const failedByBudget: Rewrite = ({ path }, report) =>
    path.startsWith('/api/v0/operation/')
      ? {
          ...report,
          ...{ status: 'failed', state: 'failed', can: ['retry'] },
          problem: EXHAUSTED,
          unavailable_hosts: [DOWN, IN_MAINTENANCE],
        }
      : undefined;

  test('follow prints the commands to retry a failed operation', async () => {
    const { id } = (await service().client.listOperations({ query: { cluster: 'web', limit: 1 } })).body[0] ?? {};
    const result = await runBlocked('operation follow web', failedByBudget);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain(
      [
        'Reason: budget_exhausted: host-127-9-5-2 (127.9.5.2) (unreachable since 2026-11-16 12:03:05 UTC: connection refused), host-127-9-5-3 (127.9.5.3) (in maintenance) use all slots (--max-unavailable 1); exclude unhealthy hosts (--unhealthy exclude), raise --max-unavailable, or wait for them (--wait-for-hosts)',
        `Retry without these hosts: hostler operation retry ${id} --exclude 127.9.5.2,127.9.5.3`,
        `Retry when they are back: hostler operation retry ${id}`,
        '',
      ].join('\n'),
    );
    const output = await runBlocked('operation show web', failedByBudget);
    expect(output.stdout).toContain(
      `unavailable: 127.9.5.2 is unreachable (since ${utcTime(today)}: connection refused); `,
    );
    expect(output.stdout).toMatch(/next steps: +hostler operation retry \S+ --exclude 127\.9\.5\.2,127\.9\.5\.3\n/);
  });

  test('show explains what resume does after a partition', async () => {
    const partitioned: Rewrite = ({ path }, report) =>
      path.startsWith('/api/v0/operation/')
        ? { ...report, ...{ state: 'paused', paused_by: 'partitioned', can: ['resume', 'cancel'] } }
        : undefined;
    const { stdout } = await runBlocked('operation show web', partitioned);
    expect(stdout).toMatch(
      /next steps: +it resumes by itself when the hosts respond again; if you resume it now, you declare the outage real: .*; run one of: hostler operation resume\|cancel /,
    );
  });

  test('retry sends the hosts to exclude, from a list and from repeated flags', async () => {
    const line = 'operation retry web 127.9.5.1 --exclude 127.9.5.2,127.9.5.3 --exclude 127.9.5.9';
    const { started } = await runBlocked(line, () => undefined);
    expect(started).toEqual([{ hosts: ['127.9.5.1'], exclude: ['127.9.5.2', '127.9.5.3', '127.9.5.9'] }]);
  });
});
