import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../harness/listen.ts';
import { asAdmin, hostler, makeHome } from '../harness/programs/cli.ts';
import { installedHostler } from '../harness/programs/installed-hostler.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, startTestService } from '../harness/service.ts';

describe('completion', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
    for (const name of ['web', 'west', 'db'])
      await service.put(`/api/v0/cluster/${name}`, { network: 'default' });
    await service.makeHosts('active', 'web', '127.9.0.1', '127.9.0.2', '2001:db8::1', '2001:db8::2');
  });
  afterAll(() => service.stop());

  /** The words that could come next, of a line that ends where somebody stands. */
  async function words(line: string, environment = asAdmin(service.url)): Promise<string> {
    const { stdout, stderr, exitCode } = await hostler(
      `__complete -- ${line.endsWith(' ') ? `${line}""` : line}`,
      {
        environment,
      },
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout
      .split('\n')
      .map(each => each.split('\t')[0])
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
    // Nobody knows the name of what is not there yet.
    ['cluster create w', ''],
    ['host add 127.9.0.1 ', ''],
    ['network create x --options ', ':files'],
    ['network create x --options=', ':files'],
    ['completion f', 'fish'],
    ['cluster show -- w', 'web west'],
    ['nonsense ', ''],
    ['__', ''],
  ])('%j goes on with %j', async (line, expected) => {
    expect(await words(line)).toBe(expected);
  });

  test('says what each word is', async () => {
    const { stdout } = await hostler('__complete -- cluster cr');
    expect(stdout).toBe('create\tCreate a cluster\n');
    const hosts = await hostler('__complete -- host show 127.9.0.1', { environment: asAdmin(service.url) });
    expect(hosts.stdout).toBe('127.9.0.1\tactive\n');
  });

  test('asks whom the line says, with the password that is kept for it, and knows contexts without asking', async () => {
    const HOME = await makeHome();
    const login = `login ${service.url} --name prod --password-stdin`;
    await hostler(login, { environment: { HOME }, input: ADMIN_PASSWORD });
    await hostler('context rename prod production', { environment: { HOME } });
    expect(await words('cluster show d', { HOME })).toBe('db');
    expect(await words('--context production cluster show d', { HOME })).toBe('db');
    expect(await words('--context nonsense cluster show d', { HOME })).toBe('');
    expect(await words('context use p', { HOME })).toBe('production');
  });

  test('is silent, and soon, when nobody answers', async () => {
    const dumb = createServer(() => {});
    onTestFinished(() => {
      dumb.closeAllConnections();
      dumb.close();
    });
    const url = `http://127.0.0.1:${await listen(dumb)}`;
    const began = performance.now();
    expect(await words('cluster show ', asAdmin(url))).toBe('');
    // One second, and what a busy machine adds.
    expect(performance.now() - began).toBeLessThan(5000);
    expect(await words('cluster show ', asAdmin('http://127.0.0.1:1'))).toBe('');
    expect(await words('cluster show ', { HOME: '/nonexistent' })).toBe('');
  });

  test('bash completes by it, also words that it cuts at = and :', async () => {
    const home = await makeHome();
    const PATH = `${installedHostler(home)}:${process.env['PATH']}`;
    // As readline calls it: with the part of the word behind the last character at which it cuts.
    const script = `
      source <(hostler completion bash)
      ask() {
        COMP_LINE=$1 COMP_POINT=\${#1}
        _hostler hostler "$2" ""
        printf '%s|' "\${COMPREPLY[@]}"
        printf '\\n'
      }
      complete -p hostler
      ask 'hostler cluster show w' w
      ask 'hostler host list --cluster=w' w
      ask 'hostler host show 2001:db8::' ''
    `;
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], {
      env: { ...asAdmin(service.url), PATH },
    });
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      'complete -F _hostler hostler',
      'web|west|',
      'web|west|',
      '1|2|',
      '',
    ]);
  });
});
