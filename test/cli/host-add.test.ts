import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import net from 'node:net';
import path from 'node:path';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { Secret } from '../../src/domain/secret.ts';
import { HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import { listen } from '../harness/http/sockets.ts';
import { asAdmin, createHome, describeCli } from '../harness/programs/cli.ts';
import { createFleet } from '../harness/simulated-fleet.ts';
import { waitUntil } from '../harness/wait-until.ts';

/**
 * A TCP relay to the server that can be interrupted. With `maxPuts`, it interrupts itself after that number
 * of PUT requests.
 */
async function startRelay(url: string, maxPuts = Number.POSITIVE_INFINITY) {
  let puts = 0;
  const sockets = new Set<Socket>();
  const relay = net.createServer(client => {
    const upstream = net.connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    client.on('data', text => {
      if (text.includes('PUT ')) puts += 1;
      if (puts > maxPuts) cut();
    });
    client.pipe(upstream).pipe(client);
  });
  const port = await listen(relay);
  const cut = () => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  return {
    url: `http://127.0.0.1:${port}`,
    connections: () => [...sockets].filter(socket => !socket.destroyed).length,
    cut,
    restore: () => once(relay.listen(port, '127.0.0.1'), 'listening'),
  };
}

const fleet = createFleet();
const addMachines = (...addresses: string[]) =>
  addresses.map(address => fleet.add(address as Address, { os: 'debian' }));

describeCli('hostler host add', { overrides: { transport: fleet.transport } }, (run, service) => {
  let home: string;
  let key: string;
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
  });
  beforeEach(async () => {
    home = await createHome();
    key = path.join(home, 'key');
    writeFileSync(key, Buffer.from(PRIVATE_KEY, 'base64'), { mode: 0o600 });
  });

  test('enrols a host with all options, and is idempotent', async () => {
    const hostKey = path.join(home, 'host.pub');
    writeFileSync(hostKey, `# host key\n${HOST_KEY} root@host\n`);
    const line = `host add 127.8.0.1 --key ${key} --remote-user core --port 2222 --cluster web --host-key ${hostKey} --transport openssh -l zone=a1 -l role=db`;
    expect(await run(line)).toEqual({
      exitCode: 0,
      stdout: 'host 127.8.0.1 enrolled\n',
      stderr: '',
      prompts: [],
      secretPrompts: [],
    });
    expect(await run(line)).toMatchObject({ exitCode: 0, stdout: 'host 127.8.0.1 is already enrolled\n' });
    const body = async (resource: string) => (await service().get(`/api/v0/host/127.8.0.1/${resource}`)).body;
    expect(await body('access')).toEqual({ remote_user: 'core', ssh_port: 2222, host_keys: [HOST_KEY] });
    expect(await body('status')).toMatchObject({
      host: { cluster: 'web', transport: 'openssh', labels: { zone: 'a1', role: 'db' } },
    });
  });

  test('--wait waits until hosts are ready, with and without a cluster', async () => {
    addMachines('127.8.0.2', '127.8.0.3', '127.8.0.4');
    const single = await run(`host add 127.8.0.2 --key ${key} --cluster web --wait`);
    expect(single).toMatchObject({
      exitCode: 0,
      stdout: 'host 127.8.0.2 enrolled\nhost 127.8.0.2 is active\n',
      stderr: 'host 127.8.0.2 is active\n',
    });
    const json = await run(`host add 127.8.0.3 127.8.0.4 --key ${key} --wait -o json`);
    const isReady = { status: 'disassociated', os: 'debian' };
    expect(JSON.parse(json.stdout)).toMatchObject([
      { address: '127.8.0.3', ...isReady },
      { address: '127.8.0.4', ...isReady },
    ]);
  });

  test('--wait prints why hosts did not become ready', async () => {
    fleet.add('127.8.0.5' as Address, { os: 'debian', acceptedKeys: [new Secret(OTHER_PRIVATE_KEY)] });
    const failed = await run(`host add 127.8.0.5 --key ${key} --wait`);
    expect(failed).toMatchObject({ exitCode: 1, stdout: 'host 127.8.0.5 enrolled\n' });
    expect(failed.stderr).toMatch(
      /hostler: 127\.8\.0\.5 is failed: auth_rejected: .*\nhostler: the host is not ready\. See: hostler host show 127\.8\.0\.5\n$/,
    );
    const other = path.join(home, 'other');
    writeFileSync(other, Buffer.from(OTHER_PRIVATE_KEY, 'base64'), { mode: 0o600 });
    expect(await run(`host creds 127.8.0.5 --set ${key}`)).toMatchObject({ exitCode: 4 });
    const [frozen] = addMachines('127.8.0.6');
    frozen?.addFault({ kind: 'frozen' });
    const timedOut = await run(`host add 127.8.0.5 127.8.0.6 --key ${key} --wait --timeout 1s`);
    expect(timedOut).toMatchObject({
      exitCode: 1,
      stdout: '1 host enrolled, 1 already enrolled\n0 of 2 hosts ready\n',
    });
    expect(timedOut.stderr).toMatch(/hostler: 127\.8\.0\.6 is still investigating: bootstrap/);
    frozen?.clearFaults();
    expect(await run(`host creds 127.8.0.5 --set ${other}`)).toMatchObject({
      exitCode: 0,
      stdout: 'credentials of host 127.8.0.5 tested and replaced\n',
    });
  });

  test('Ctrl-C stops --wait and clears the progress line', async () => {
    const [frozen] = addMachines('127.8.0.8');
    frozen?.addFault({ kind: 'frozen' });
    let interrupt = () => {};
    const interrupted = await run(`host add 127.8.0.8 --key ${key} --wait`, {
      isStderrTerminal: true,
      onInterruptible: end => {
        interrupt = end;
      },
      onStderr: text => {
        if (text.endsWith('waiting for 1 host: 0 ready, 0 failed')) setImmediate(() => interrupt());
      },
    });
    frozen?.clearFaults();
    expect(interrupted).toMatchObject({ exitCode: 1, stdout: 'host 127.8.0.8 enrolled\n' });
    expect(interrupted.stderr).toContain('0 failed\r\u001b[Khostler: 127.8.0.8 is still investigating: ');
  });

  test('--wait continues while the server is unavailable', async () => {
    const { url, cut, restore, connections } = await startRelay(service().url);
    const [machine] = addMachines('127.8.0.7');
    machine?.addFault({ kind: 'frozen' });
    const result = run(`host add 127.8.0.7 --key ${key} --wait`, { environment: asAdmin(url) });
    await waitUntil(
      'the command waits',
      async () => (await service().get('/api/v0/host/127.8.0.7')).status === 200 && connections() > 2,
    );
    cut();
    machine?.clearFaults();
    const isReady = async () =>
      (await service().get<{ status: string }>('/api/v0/host/127.8.0.7')).body.status === 'disassociated';
    await waitUntil('the host is ready', isReady);
    await restore();
    expect(await result).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('is disassociated\n'),
    });
  });

  test('--from reads addresses, prints progress and enrols only new hosts when repeated', async () => {
    const list = path.join(home, 'list');
    writeFileSync(list, '# rack 1\n127.8.1.1\n\n127.8.1.2 # spare\r\n::ffff:127.8.1.1\n2001:DB8::0:1\n');
    const piped = await run(`host add --from ${list} --key ${key}`);
    expect(piped).toMatchObject({ exitCode: 0, stdout: '3 hosts enrolled, 0 already enrolled\n' });
    expect(piped.stderr.split('\n').sort()).toEqual([
      '',
      expect.stringMatching(/^1\/3 host \S+ enrolled$/),
      expect.stringMatching(/^2\/3 host \S+ enrolled$/),
      expect.stringMatching(/^3\/3 host \S+ enrolled$/),
    ]);
    const options = { input: '127.8.1.1\n127.8.1.3\n', isStderrTerminal: true };
    const terminal = await run(`host add 2001:db8::1 --from - --key ${key}`, options);
    expect(terminal.stdout).toBe('1 host enrolled, 2 already enrolled\n');
    expect(terminal.stderr).toBe('\r\u001b[Kenrolling 1/3\r\u001b[Kenrolling 2/3\r\u001b[Kenrolling 3/3\r\u001b[K');
    const names = await run(`host add --from ${list} --key ${key} -o name`);
    expect(names.stdout).toBe('127.8.1.1\n127.8.1.2\n2001:db8::1\n');
  });

  test('prints the rejected hosts with reasons and enrols the others', async () => {
    const other = path.join(home, 'other');
    writeFileSync(other, Buffer.from(OTHER_PRIVATE_KEY, 'base64'), { mode: 0o600 });
    await run(`host add 127.8.2.1 127.8.2.2 --key ${key}`);
    const result = await run(`host add 127.8.2.1 127.8.2.2 127.8.2.3 --key ${other}`);
    expect(result).toMatchObject({ exitCode: 4, stdout: '1 host enrolled, 0 already enrolled\n' });
    expect(result.stderr).toMatch(
      /^hostler: 127\.8\.2\.1, 127\.8\.2\.2: already enrolled with a different --key\. .*: hostler host remove HOST \(host_conflict\)\nhostler: 2 of 3 hosts rejected\n$/m,
    );
    const alone = await run(`host add 127.8.2.1 --key ${other}`);
    expect(alone).toMatchObject({
      exitCode: 4,
      stdout: '',
      stderr: expect.stringMatching(
        /^hostler: the host 127\.8\.2\.1 is already enrolled with a different --key\. Replace the credentials with: hostler host creds 127\.8\.2\.1 --set FILE\. To .*: hostler host remove 127\.8\.2\.1 \(host_conflict, request /,
      ),
    });
    const rejected = await run(`host add 127.8.2.4 127.8.2.5 --key ${key} --cluster nowhere`);
    expect(rejected).toMatchObject({ exitCode: 4, stdout: '' });
    expect(rejected.stderr).toMatch(/^hostler: 127\.8\.2\.4, 127\.8\.2\.5: .*nowhere/m);
    await run('cluster create web2');
    await run('cluster create db2');
    await run(`host add 127.8.2.6 --key ${key} --cluster web2`);
    const otherCluster = await run(`host add 127.8.2.6 127.8.2.7 --key ${key} --cluster db2`);
    expect(otherCluster.stderr).toMatch(/^hostler: the host 127\.8\.2\.6 is a member of the cluster web2; /m);
  });

  test.each(['127.8.5.1', '127.8.5.1 127.8.5.2'])('error messages for %s name flags', async addresses => {
    const result = await run(
      `host add ${addresses} --key ${key} --transport foo --source x --remote-user "a b" --port 22`,
    );
    expect(result.exitCode).toBe(4);
    expect(result.stderr).toMatch(/^hostler: .*--remote-user must be a user name: /m);
    for (const flag of ['--transport foo', '--source x']) {
      const other = await run(`host add ${addresses} --key ${key} ${flag}`);
      expect(other.stderr).toMatch(
        /^hostler: (?:127\.8\.5\.1, 127\.8\.5\.2: )?--(?:transport|source) (?:must be|is not)/m,
      );
    }
  });

  test('enrols hosts by their DNS names, and prints and stores the addresses', async () => {
    const dnsNames = {
      'web-1.example.org': ['127.8.6.1'],
      'dual.example.org': ['::1', '127.8.6.2', '127.8.6.2'],
      'six.example.org': ['::0001'],
    };
    const names = Object.keys(dnsNames).join(' ');
    const result = await run(`host add ${names} 127.8.6.1 --key ${key} -o name`, { dnsNames });
    expect(result).toMatchObject({ exitCode: 0, stdout: '127.8.6.1\n127.8.6.2\n::1\n' });
    for (const [name, address] of [
      ['web-1', '127.8.6.1'],
      ['dual', '127.8.6.2'],
      ['six', '::1'],
    ])
      expect(result.stderr).toContain(`${name}.example.org is ${address}\n`);
  });

  test('enrols no host if a name has several addresses', async () => {
    const dnsNames = { pool: ['127.8.7.1', '127.8.7.2', '::1'], none: [] };
    const result = await run(`host add 127.8.7.3 pool none --key ${key}`, { dnsNames });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toContain('  pool has several addresses (127.8.7.1, 127.8.7.2): use one of them\n');
    expect(result.stderr).toContain('  none has no address\n');
    expect((await service().get('/api/v0/hosts?q=127.8.7.')).body).toEqual([]);
  });

  test('sends no request if an address is invalid', async () => {
    const list = path.join(home, 'list');
    writeFileSync(list, '127.8.3.1\nweb-1\n');
    const result = await run(`host add 127.8.3.2 127.8.3.0/24 fe80::1%eth0 --from ${list} --key ${key}`);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toBe(
      [
        'hostler: no host was enrolled, because some addresses are invalid:',
        '  127.8.3.0/24 is neither an IPv4 or IPv6 address nor a hostname',
        '  fe80::1%eth0 is neither an IPv4 or IPv6 address nor a hostname',
        `  ${list}, line 2: web-1 cannot be resolved (ENOTFOUND)`,
        '',
      ].join('\n'),
    );
    expect((await service().get('/api/v0/hosts?q=127.8.3.')).body).toEqual([]);
  });

  test.each([
    ['--key KEY', /no address given/],
    ['127.8.3.3', /required option '--key <file>'/],
    ['127.8.3.3 --key KEY --port 70000', /It must be a number from 1 to 65535/],
    ['127.8.3.3 --key KEY --wait --timeout soon', /It must be a duration such as 90s/],
    ['127.8.3.3 --key KEY -l zone', /invalid label "zone"/],
    ['127.8.3.3 --key KEY --host-key KEY', /contains no public host key/],
    ['127.8.3.3 --key KEY --host-key KEY.not', /\.not does not exist\. Use a file with /],
    ['--from KEY.not --key KEY', /\.not does not exist\. Use a file with /],
    ['127.8.3.3 --key KEY.not', /\.not does not exist\. Use a file with /],
  ])('`hostler host add %s` exits with a usage error', async (line, stderr) => {
    const result = await run(`host add ${line.replaceAll('KEY', key)}`);
    expect(result).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(stderr) });
    expect((await service().get('/api/v0/hosts?q=127.8.3.')).body).toEqual([]);
  });

  test('prints the progress when the server becomes unreachable', async () => {
    const { url } = await startRelay(service().url, 1);
    const addresses = Array.from({ length: 60 }, (_, index) => `127.8.4.${index + 1}`).join('\n');
    const result = run(`host add --from - --key ${key}`, { environment: asAdmin(url), input: addresses });
    const { exitCode, stderr } = await result;
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(
      /\nhostler: stopped after 50 of 60 hosts\. Run the same command again to continue\nhostler: cannot reach http:/,
    );
    expect(await run(`host add --from - --key ${key}`, { input: addresses })).toMatchObject({ exitCode: 0 });
  });
});
