import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { listen } from '../harness/http/sockets.ts';
import { asAdmin, createHome, hostler } from '../harness/programs/cli.ts';
import { installHostlerScript } from '../harness/programs/process.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';

describe('completion', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
    for (const name of ['web', 'west', 'db']) await service.put(`/api/v0/cluster/${name}`, { network: 'default' });
    await service.makeHosts('active', 'web', '127.9.0.1', '127.9.0.2', '2001:db8::1', '2001:db8::2');
  });
  afterAll(() => service.stop());

  /** The completions at the end of the line. */
  async function complete(line: string, environment = asAdmin(service.url)): Promise<string> {
    const { stdout, stderr, exitCode } = await hostler(`__complete -- ${line.endsWith(' ') ? `${line}""` : line}`, {
      environment,
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout
      .split('\n')
      .map(entry => entry.split('\t')[0])
      .join(' ')
      .trim();
  }

  test.each([
    ['clu', 'cluster'],
    ['cluster s', 'show set-hosts'],
    ['cluster show w', 'web west'],
    ['cluster show web ', ''],
    ['cluster join web 127.', '127.9.0.1 127.9.0.2'],
    ['cluster join web 127.9.0.1 127.', '127.9.0.2'],
    ['cluster join web 2001:db8::', '2001:db8::1 2001:db8::2'],
    ['host list --cl', '--cluster'],
    ['host list --cluster d', 'db'],
    ['host list --cluster=w', '--cluster=web --cluster=west'],
    ['host list --status unr', 'unreachable'],
    ['host list -o j', 'json'],
    ['-o json cluster show d', 'db'],
    ['host list --output=y', '--output=yaml'],
    ['host list --deb', '--debug'],
    ['host show 127.9.0.1 --wat', '--watch'],
    ['user role admin v', 'viewer'],
    ['user show a', 'admin'],
    ['restart w', 'web west'],
    ['network create x --type flannel_e', 'flannel_etcd'],
    ['network create x --type kube', ''],
    ['container-manager create x --type kube', 'kubernetes'],
    ['network create x --option-file token', ''],
    ['network create x --option-file token=', ':files'],
    ['network create x --option-file=token=./t', ':files'],
    ['network show ', 'default'],
    ['host add --transport opens', 'openssh'],
    ['driver show openss', 'openssh'],
    ['cluster policy web --unset max_u', 'max_unavailable'],
    ['restart web --unhealthy e', 'exclude'],
    ['restart web --wait', '--wait-for-hosts'],
    ['operation retry web --exclude 127.9.0.1,127.', '127.9.0.1,127.9.0.2'],
    ['restart web --order 127.9.0.1,127.', '127.9.0.1,127.9.0.2'],
    ['restart web --hosts=127.9.0.1,127.', '--hosts=127.9.0.1,127.9.0.2'],
    ['webhook create x --event host.sta', 'host.status'],
    // Names of new records cannot be completed.
    ['cluster create w', ''],
    ['host add 127.9.0.1 ', ''],
    ['network create x --options ', ':files'],
    ['network create x --options=', ':files'],
    ['completion f', 'fish'],
    ['cluster show -- w', 'web west'],
    ['nonsense ', ''],
    ['__', ''],
  ])('%j completes to %j', async (line, expected) => {
    expect(await complete(line)).toBe(expected);
  });

  test('prints a description for each word', async () => {
    const { stdout } = await hostler('__complete -- cluster cr');
    expect(stdout).toBe('create\tCreate a cluster\n');
    const hosts = await hostler('__complete -- host show 127.9.0.1', { environment: asAdmin(service.url) });
    expect(hosts.stdout).toBe('127.9.0.1\tactive\n');
  });

  test('uses the context of the line, and completes context names without a request', async () => {
    const HOME = await createHome();
    const login = `login ${service.url} --name prod --password-stdin`;
    await hostler(login, { environment: { HOME }, input: ADMIN_PASSWORD });
    await hostler('context rename prod production', { environment: { HOME } });
    expect(await complete('cluster show d', { HOME })).toBe('db');
    expect(await complete('--context production cluster show d', { HOME })).toBe('db');
    expect(await complete('--context nonsense cluster show d', { HOME })).toBe('');
    expect(await complete('context use p', { HOME })).toBe('production');
  });

  test('prints nothing and ends quickly if the server does not respond', async () => {
    const silentServer = createServer(() => {});
    onTestFinished(() => {
      silentServer.closeAllConnections();
      silentServer.close();
    });
    const url = `http://127.0.0.1:${await listen(silentServer)}`;
    const startedAtMs = performance.now();
    expect(await complete('cluster show ', asAdmin(url))).toBe('');
    // One second timeout, and extra time for a busy machine.
    expect(performance.now() - startedAtMs).toBeLessThan(5000);
    expect(await complete('cluster show ', asAdmin('http://127.0.0.1:1'))).toBe('');
    expect(await complete('cluster show ', { HOME: '/nonexistent' })).toBe('');
  });

  test('works in bash, also for words with = and :', async () => {
    const home = await createHome();
    const PATH = `${installHostlerScript(home)}:${process.env['PATH']}`;
    // Calls the function like readline: with the part of the word after the last word break.
    const script = `
      source <(hostler completion bash)
      complete_line() {
        COMP_LINE=$1 COMP_POINT=\${#1}
        _hostler hostler "$2" ""
        printf '%s|' "\${COMPREPLY[@]}"
        printf '\\n'
      }
      complete -p hostler
      complete_line 'hostler cluster show w' w
      complete_line 'hostler host list --cluster=w' w
      complete_line 'hostler host show 2001:db8::' ''
    `;
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], {
      env: { ...asAdmin(service.url), PATH },
    });
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual(['complete -F _hostler hostler', 'web|west|', 'web|west|', '1|2|', '']);
  });
});
