import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createHome, describeCli } from '../harness/programs/cli.ts';

describeCli('hostler api', {}, (run, service) => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
    await service().makeHosts('active', 'web', '127.9.9.1');
  });

  test.each([
    ['api GET clusters', ['web']],
    ['api clusters', ['web']],
    ['-o json --debug api cluster/web', { name: 'web' }],
    ['api hosts?limit=1 -o json', [{ address: '127.9.9.1' }]],
    ['api get cluster/web -o jsonpath=$.hosts.total', 1],
    ['api GET /healthz', { status: 'ok' }],
    ['api GET hosts?status=failed', []],
    ['api PUT host/127.9.9.1/maintenance --field on:=true --field reason=1', { on: true, reason: '1' }],
    ['api PUT network/new --field type=none --field options:={}', { name: 'new', type: 'none', options: {} }],
    ['api PUT network/new --field type=none --field options:={} --header If-Match:*', { name: 'new', type: 'none' }],
    ['api PUT host/127.9.9.1/bootstrap', { address: '127.9.9.1' }],
    ['api DELETE network/new', []],
  ])('`hostler %s` prints the response', async (line, value) => {
    const { exitCode, stdout, stderr } = await run(line);
    expect([exitCode, stderr]).toEqual([0, '']);
    const printed: unknown = JSON.parse(stdout);
    if (typeof value === 'object') expect(printed).toMatchObject(value);
    else expect(printed).toBe(value);
  });

  test('prints a response that is not JSON unchanged', async () => {
    const { stdout, exitCode } = await run('api GET /metrics');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^# HELP /);
  });

  test('reads the body from a file or from stdin', async () => {
    const file = path.join(await createHome(), 'labels.json');
    writeFileSync(file, '{"zone":"a"}');
    expect(JSON.parse((await run(`api PUT host/127.9.9.1/labels --input ${file}`)).stdout)).toEqual({ zone: 'a' });
    const piped = await run('api PUT host/127.9.9.1/labels --input -', { input: '{"zone":"b"}' });
    expect(JSON.parse(piped.stdout)).toEqual({ zone: 'b' });
  });

  test.each([
    ['api GET cluster/nowhere', 5, /the cluster nowhere does not exist/],
    ['api GET hosts?staus=failed', 4, /staus is unknown/],
    ['api GET /hosts', 2, /hostler: \/hosts is not a path of the API\. Did you mean hosts\?/],
    ['api /hosts?limit=1', 2, /Did you mean hosts\?limit=1\?/],
    ['api /docs', 2, /hostler: \/docs is a web page, not a path of the API\n/],
    ['api GET', 2, /missing required argument 'path'/],
    ['api', 2, /missing required argument 'path'/],
    ['api host/127.9.9.1/labels --field a=b', 2, /a GET request has no body/],
    ['api PATCH hosts', 2, /It must be GET, PUT or DELETE/],
    ['api GET //127.0.0.1:1/x', 2, /is not a path, such as \/healthz or hosts/],
    ['api GET /\\127.0.0.1:1/x', 2, /is not a path/],
    ['api GET \\\\127.0.0.1:1/x', 2, /is not a path/],
    ['api PUT host/127.9.9.1/labels --field zone', 2, /It must be name=text or name:=JSON/],
    ['api PUT host/127.9.9.1/labels --field zone:=a', 2, /The value of zone must be JSON/],
    ['api PUT host/127.9.9.1/labels --field a=b --input x', 2, /--field and --input cannot be combined/],
    ['api PUT host/127.9.9.1/labels --input /nonexistent', 2, /\/nonexistent does not exist/],
    ['api GET hosts --header zone', 2, /It must be "Name: value"/],
    ['api GET hosts --server http://127.0.0.1:1', 3, /cannot reach/],
  ])('`hostler %s` exits with %i', async (line, exitCode, stderr) => {
    const result = await run(line);
    expect(result).toMatchObject({ exitCode, stdout: '' });
    expect(result.stderr).toMatch(stderr);
  });
});
