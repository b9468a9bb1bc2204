import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import net from 'node:net';
import path from 'node:path';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { Secret } from '../../src/domain/secret.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { osSimulators } from '../../src/simulator/os/os-simulators.ts';
import { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import { HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { listen } from '../harness/listen.ts';
import { asAdmin, describeCli, makeHome } from '../harness/programs/cli.ts';
import { until } from '../harness/until.ts';

/** A way to the service that can be cut; with a number, it is cut by itself once so many requests have changed something. */
async function relayTo(url: string, mostPuts = Number.POSITIVE_INFINITY) {
  let puts = 0;
  const sockets = new Set<Socket>();
  const relay = net.createServer(caller => {
    const onward = net.connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [caller, onward]) sockets.add(socket.on('error', () => {}));
    caller.on('data', text => {
      if (text.includes('PUT ')) puts += 1;
      if (puts > mostPuts) cut();
    });
    caller.pipe(onward).pipe(caller);
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
    mend: () => once(relay.listen(port, '127.0.0.1'), 'listening'),
  };
}

const fleet = new SimulatedFleet({
  clock: systemClock,
  simulators: { systems: Object.values(osSimulators) },
  latencies: { connectMs: 0, commandMs: 0, bootMs: 50 },
});
const machines = (...addresses: string[]) =>
  addresses.map(address => fleet.add(address as Address, { os: 'debian' }));

describeCli('hostler host add', { overrides: { transport: fleet.transport } }, (run, service) => {
  let home: string;
  let key: string;
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
  });
  beforeEach(async () => {
    home = await makeHome();
    key = path.join(home, 'key');
    writeFileSync(key, Buffer.from(PRIVATE_KEY, 'base64'), { mode: 0o600 });
  });

  test('enrols a host with all that is said of it, and again without harm', async () => {
    const hostKey = path.join(home, 'host.pub');
    writeFileSync(hostKey, `# of the host\n${HOST_KEY} root@host\n`);
    const line = `host add 127.8.0.1 --key ${key} --remote-user core --port 2222 --cluster web --host-key ${hostKey} --transport openssh -l zone=a1 -l role=db`;
    expect(await run(line)).toEqual({
      exitCode: 0,
      stdout: 'host 127.8.0.1 enrolled\n',
      stderr: '',
      asked: [],
      askedSecretly: [],
    });
    expect(await run(line)).toMatchObject({ exitCode: 0, stdout: 'host 127.8.0.1 is already enrolled\n' });
    const body = async (what: string) => (await service().get(`/api/v0/host/127.8.0.1/${what}`)).body;
    expect(await body('access')).toEqual({ remote_user: 'core', ssh_port: 2222, host_keys: [HOST_KEY] });
    expect(await body('status')).toMatchObject({
      host: { cluster: 'web', transport: 'openssh', labels: { zone: 'a1', role: 'db' } },
    });
  });

  test('waits until hosts are ready, in a cluster and without', async () => {
    machines('127.8.0.2', '127.8.0.3', '127.8.0.4');
    const one = await run(`host add 127.8.0.2 --key ${key} --cluster web --wait`);
    expect(one).toMatchObject({
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

  test('tells why hosts did not become ready', async () => {
    fleet.add('127.8.0.5' as Address, { os: 'debian', acceptedKeys: [new Secret(OTHER_PRIVATE_KEY)] });
    const failed = await run(`host add 127.8.0.5 --key ${key} --wait`);
    expect(failed).toMatchObject({ exitCode: 1, stdout: 'host 127.8.0.5 enrolled\n' });
    expect(failed.stderr).toMatch(
      /hostler: 127\.8\.0\.5 is failed: auth_rejected: .*\nhostler: the host is not ready\. See: hostler host show 127\.8\.0\.5\n$/,
    );
    const other = path.join(home, 'other');
    writeFileSync(other, Buffer.from(OTHER_PRIVATE_KEY, 'base64'), { mode: 0o600 });
    expect(await run(`host creds 127.8.0.5 --set ${key}`)).toMatchObject({ exitCode: 4 });
    const [frozen] = machines('127.8.0.6');
    frozen?.addFault({ kind: 'frozen' });
    const late = await run(`host add 127.8.0.5 127.8.0.6 --key ${key} --wait --timeout 1s`);
    expect(late).toMatchObject({
      exitCode: 1,
      stdout: '1 host enrolled, 1 already enrolled\n0 of 2 hosts ready\n',
    });
    expect(late.stderr).toMatch(/hostler: 127\.8\.0\.6 is still investigating: bootstrap/);
    frozen?.clearFaults();
    expect(await run(`host creds 127.8.0.5 --set ${other}`)).toMatchObject({
      exitCode: 0,
      stdout: 'credentials of host 127.8.0.5 tested and replaced\n',
    });
  });

  test('Ctrl-C ends the waiting, and leaves no half line behind', async () => {
    const [frozen] = machines('127.8.0.8');
    frozen?.addFault({ kind: 'frozen' });
    let interrupt = () => {};
    const left = await run(`host add 127.8.0.8 --key ${key} --wait`, {
      isHeard: true,
      onInterruptible: end => {
        interrupt = end;
      },
      onTell: text => {
        if (text.endsWith('waiting for 1 host: 0 ready, 0 failed')) setImmediate(() => interrupt());
      },
    });
    frozen?.clearFaults();
    expect(left).toMatchObject({ exitCode: 1, stdout: 'host 127.8.0.8 enrolled\n' });
    expect(left.stderr).toContain('0 failed\r\u001b[Khostler: 127.8.0.8 is still investigating: ');
  });

  test('goes on waiting while the service is away', async () => {
    const { url, cut, mend, connections } = await relayTo(service().url);
    const [machine] = machines('127.8.0.7');
    machine?.addFault({ kind: 'frozen' });
    const ran = run(`host add 127.8.0.7 --key ${key} --wait`, { environment: asAdmin(url) });
    await until(
      'it waits',
      async () => (await service().get('/api/v0/host/127.8.0.7')).status === 200 && connections() > 2,
    );
    cut();
    machine?.clearFaults();
    const isReady = async () =>
      (await service().get<{ status: string }>('/api/v0/host/127.8.0.7')).body.status === 'disassociated';
    await until('the host is ready', isReady);
    await mend();
    expect(await ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('is disassociated\n') });
  });

  test('takes addresses from a file, tells how far it is, and does only the rest when repeated', async () => {
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
    const more = { input: '127.8.1.1\n127.8.1.3\n', isHeard: true };
    const seen = await run(`host add 2001:db8::1 --from - --key ${key}`, more);
    expect(seen.stdout).toBe('1 host enrolled, 2 already enrolled\n');
    expect(seen.stderr).toBe(
      '\r\u001b[Kenrolling 1/3\r\u001b[Kenrolling 2/3\r\u001b[Kenrolling 3/3\r\u001b[K',
    );
    const names = await run(`host add --from ${list} --key ${key} -o name`);
    expect(names.stdout).toBe('127.8.1.1\n127.8.1.2\n2001:db8::1\n');
  });

  test('lists those that were refused, with their reasons, and enrols the others', async () => {
    const other = path.join(home, 'other');
    writeFileSync(other, Buffer.from(OTHER_PRIVATE_KEY, 'base64'), { mode: 0o600 });
    await run(`host add 127.8.2.1 127.8.2.2 --key ${key}`);
    const ran = await run(`host add 127.8.2.1 127.8.2.2 127.8.2.3 --key ${other}`);
    expect(ran).toMatchObject({ exitCode: 4, stdout: '1 host enrolled, 0 already enrolled\n' });
    expect(ran.stderr).toMatch(
      /^hostler: 127\.8\.2\.1, 127\.8\.2\.2: already enrolled with a different --key\. .*: hostler host remove ADDRESS \(host_conflict\)\nhostler: 2 of 3 hosts rejected\n$/m,
    );
    const alone = await run(`host add 127.8.2.1 --key ${other}`);
    expect(alone).toMatchObject({
      exitCode: 4,
      stdout: '',
      stderr: expect.stringMatching(
        /^hostler: the host 127\.8\.2\.1 is already enrolled with a different --key\. Replace the credentials with: hostler host creds 127\.8\.2\.1 --set FILE\. To .*: hostler host remove 127\.8\.2\.1 \(host_conflict, request /,
      ),
    });
    const none = await run(`host add 127.8.2.4 127.8.2.5 --key ${key} --cluster nowhere`);
    expect(none).toMatchObject({ exitCode: 4, stdout: '' });
    expect(none.stderr).toMatch(/^hostler: 127\.8\.2\.4, 127\.8\.2\.5: .*nowhere/m);
    await run('cluster create web2');
    await run('cluster create db2');
    await run(`host add 127.8.2.6 --key ${key} --cluster web2`);
    const elsewhere = await run(`host add 127.8.2.6 127.8.2.7 --key ${key} --cluster db2`);
    expect(elsewhere.stderr).toMatch(/^hostler: the host 127\.8\.2\.6 is a member of the cluster web2; /m);
  });

  test.each(['127.8.5.1', '127.8.5.1 127.8.5.2'])('names flags in the errors of %s', async addresses => {
    const ran = await run(
      `host add ${addresses} --key ${key} --transport foo --source x --remote-user "a b" --port 22`,
    );
    expect(ran.exitCode).toBe(4);
    expect(ran.stderr).toMatch(/^hostler: .*--remote-user must be a user name: /m);
    for (const flag of ['--transport foo', '--source x']) {
      const other = await run(`host add ${addresses} --key ${key} ${flag}`);
      expect(other.stderr).toMatch(
        /^hostler: (?:127\.8\.5\.1, 127\.8\.5\.2: )?--(?:transport|source) (?:must be|is not)/m,
      );
    }
  });

  test('sends nothing when anything is wrong with what was typed', async () => {
    const list = path.join(home, 'list');
    writeFileSync(list, '127.8.3.1\nweb-1\n');
    const ran = await run(`host add 127.8.3.2 127.8.3.0/24 fe80::1%eth0 --from ${list} --key ${key}`);
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toBe(
      `hostler: these are not IPv4 or IPv6 addresses, so no host was enrolled:\n  127.8.3.0/24\n  fe80::1%eth0\n  ${list}, line 2: web-1\n`,
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
  ])('host add %s is wrong use', async (line, stderr) => {
    const ran = await run(`host add ${line.replaceAll('KEY', key)}`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(stderr) });
    expect((await service().get('/api/v0/hosts?q=127.8.3.')).body).toEqual([]);
  });

  test('says how far it came when the service is gone in between', async () => {
    const { url } = await relayTo(service().url, 1);
    const addresses = Array.from({ length: 60 }, (_, index) => `127.8.4.${index + 1}`).join('\n');
    const ran = run(`host add --from - --key ${key}`, { environment: asAdmin(url), input: addresses });
    const { exitCode, stderr } = await ran;
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(
      /\nhostler: stopped after 50 of 60 hosts\. Run the same command again to continue\nhostler: cannot reach http:/,
    );
    expect(await run(`host add --from - --key ${key}`, { input: addresses })).toMatchObject({ exitCode: 0 });
  });
});
