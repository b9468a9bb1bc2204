import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnEtcd } from '../harness/etcd/describe-on-etcd.ts';
import type { Etcd } from '../harness/etcd/etcd.ts';
import { startEtcd } from '../harness/etcd/start-etcd.ts';
import { runBridge } from '../harness/hosts/bridge.ts';
import { describeOnSystemdHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/hosts/login-key.ts';
import { startSystemdHost } from '../harness/hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/hosts/systemd-host.ts';
import { listen } from '../harness/listen.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { FIRST_BUILD_MS, hostStatus } from './host-status.ts';

const DEADLINE_MS = 90_000;
const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '3',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const FLANNELD = path.join(import.meta.dirname, 'pretend-flanneld.py');
const PREFIX = '/coreos.com/network';

/** Where hosts on the bridge find what listens on an address of this machine's own. */
async function showOnBridge(url: string): Promise<{ readonly url: string; stop(): void }> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer(socket => {
    const onward = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const { address } = await runBridge();
  const shown = await listen(server, address);
  const stop = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { url: `http://${address}:${shown}`, stop };
}

describeOnEtcd('with a real etcd', () =>
  describeOnSystemdHosts('a whole system in a cluster whose network is flannel_etcd', () => {
    let [service, etcd, host]: [TestService?, Etcd?, SystemdHost?] = [];
    let way: Awaited<ReturnType<typeof showOnBridge>> | undefined;
    const present = <T>(value: T | undefined): T => {
      if (value === undefined) throw new Error('it was not started');
      return value;
    };
    const onHost = async (...argv: [string, ...string[]]) => (await present(host).run(argv)).stdout.trim();
    const isActive = () =>
      until(
        'the host is active',
        async () => (await hostStatus(present(service), present(host).address)).status === 'active',
        DEADLINE_MS,
      );
    const runsFlannel = () =>
      until(
        'flanneld runs',
        async () => (await onHost('systemctl', 'is-active', 'hostler-flanneld')) === 'active',
      );
    const subnetKey = () => `${PREFIX}/subnets/10.77.${present(host).address.split('.')[3]}.0-24`;

    beforeAll(async () => {
      etcd = await startEtcd();
      way = await showOnBridge(etcd.endpoints[0] ?? '');
      service = await startTestService('sqlite', SETTINGS);
      host = await startSystemdHost({ kind: 'apt' });
      await host.write('/opt/bin/flanneld', readFileSync(FLANNELD, 'utf8'), 0o755);
      const options = { endpoints: [way.url], network: '10.77.0.0/16', backend: 'vxlan' };
      expect((await service.put('/api/v0/network/overlay', { type: 'flannel_etcd', options })).status).toBe(
        201,
      );
      await service.put('/api/v0/cluster/web', { network: 'overlay' });
      const body = { ssh_priv_key: (await loginKey()).privateKeyBase64, cluster: 'web' };
      expect((await service.put(`/api/v0/host/${host.address}`, body)).status).toBe(201);
    }, FIRST_BUILD_MS);

    afterAll(async () => {
      await service?.stop();
      await host?.stop();
      way?.stop();
      await etcd?.stop();
    });

    test('runs flanneld before it is active, with a subnet that is leased to it', {
      timeout: FIRST_BUILD_MS,
    }, async () => {
      await isActive();
      expect(await onHost('systemctl', 'is-active', 'hostler-flanneld')).toBe('active');
      expect(await onHost('cat', '/run/flannel/subnet.env')).toContain('FLANNEL_NETWORK=10.77.0.0/16\n');
      expect(JSON.parse((await etcd?.get(subnetKey())) ?? '')).toMatchObject({ PublicIP: host?.address });
      expect(await etcd?.get(`${PREFIX}/config`)).toBe(
        '{"Network":"10.77.0.0/16","Backend":{"Type":"vxlan"}}',
      );
    });

    test('is left as it is when it is bootstrapped again', { timeout: 2 * DEADLINE_MS }, async () => {
      const started = () => onHost('systemctl', 'show', '--property=MainPID', 'hostler-flanneld');
      const before = await started();
      expect((await service?.put(`/api/v0/host/${host?.address}/bootstrap`, {}))?.status).toBe(200);
      await isActive();
      expect(await started()).toBe(before);
    });

    test('runs it again after a reboot', { timeout: 2 * DEADLINE_MS }, async () => {
      await present(host).reboot();
      await runsFlannel();
      await isActive();
    });

    test('keeps nothing of it when it leaves, nor does etcd', { timeout: 2 * DEADLINE_MS }, async () => {
      const paths =
        '/etc/hostler /etc/systemd/system/hostler-flanneld.service /run/flannel /sys/class/net/flannel.1';
      const left = () =>
        onHost('sh', '-c', `for each in ${paths}; do if [ -e "$each" ]; then echo "$each"; fi; done`);
      expect((await left()).split('\n').length).toBe(4);
      await service?.delete(`/api/v0/cluster/web/hosts/${host?.address}`);
      await until('nothing is left on it', async () => (await left()) === '', DEADLINE_MS);
      await until(
        'its subnet is free',
        async () => (await etcd?.get(subnetKey())) === undefined,
        DEADLINE_MS,
      );
      expect(
        await onHost('systemctl', 'list-units', '--all', '--plain', '--no-legend', 'hostler-flanneld*'),
      ).toBe('');
      expect(await etcd?.get(`${PREFIX}/config`)).toContain('10.77.0.0/16');
    });
  }),
);
