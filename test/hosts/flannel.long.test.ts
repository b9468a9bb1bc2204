import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Etcd } from '../harness/etcd/etcd.ts';
import { startEtcd } from '../harness/etcd/start-etcd.ts';
import { listen } from '../harness/http/sockets.ts';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import { runBridge } from '../harness/real-hosts/run-folder.ts';
import { startSystemdHost } from '../harness/real-hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/real-hosts/systemd-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { describeOnEtcd } from '../harness/vitest/conditional-suites.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { hostStatus } from './host-status.ts';

const DEADLINE_MS = 90_000;
const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '3',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const FLANNELD = path.join(import.meta.dirname, 'fake-flanneld.py');
const PREFIX = '/coreos.com/network';

/** Forwards a port on the bridge to a server that listens on the loopback address. */
async function forwardFromBridge(url: string): Promise<{ readonly url: string; stop(): void }> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer(socket => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const { address } = await runBridge();
  const bridgePort = await listen(server, address);
  const stop = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { url: `http://${address}:${bridgePort}`, stop };
}

describeOnEtcd('with a real etcd', () =>
  describeOnSystemdHosts('a systemd host in a cluster with network flannel_etcd', () => {
    let service: TestService;
    let etcd: Etcd;
    let host: SystemdHost;
    let forwarder: Awaited<ReturnType<typeof forwardFromBridge>> | undefined;
    const onHost = async (...argv: [string, ...string[]]) => (await host.run(argv)).stdout.trim();
    const isActive = () =>
      waitUntil(
        'the host is active',
        async () => (await hostStatus(service, host.address)).status === 'active',
        DEADLINE_MS,
      );
    const runsFlannel = () =>
      waitUntil('flanneld runs', async () => (await onHost('systemctl', 'is-active', 'hostler-flanneld')) === 'active');
    const subnetKey = () => `${PREFIX}/subnets/10.77.${host.address.split('.')[3]}.0-24`;

    beforeAll(async () => {
      etcd = await startEtcd();
      forwarder = await forwardFromBridge(etcd.endpoints[0] ?? '');
      service = await startTestService('sqlite', SETTINGS);
      host = await startSystemdHost({ kind: 'apt' });
      await host.write('/opt/bin/flanneld', readFileSync(FLANNELD, 'utf8'), 0o755);
      const options = { endpoints: [forwarder.url], network: '10.77.0.0/16', backend: 'vxlan' };
      expect((await service.put('/api/v0/network/overlay', { type: 'flannel_etcd', options })).status).toBe(201);
      await service.put('/api/v0/cluster/web', { network: 'overlay' });
      const body = { ssh_priv_key: (await loginKey()).privateKeyBase64, cluster: 'web' };
      expect((await service.put(`/api/v0/host/${host.address}`, body)).status).toBe(201);
    }, IMAGE_BUILD_MS);

    afterAll(async () => {
      await service?.stop();
      await host?.stop();
      forwarder?.stop();
      await etcd?.stop();
    });

    test('runs flanneld with a leased subnet before it is active', {
      timeout: IMAGE_BUILD_MS,
    }, async () => {
      await isActive();
      expect(await onHost('systemctl', 'is-active', 'hostler-flanneld')).toBe('active');
      expect(await onHost('cat', '/run/flannel/subnet.env')).toContain('FLANNEL_NETWORK=10.77.0.0/16\n');
      expect(JSON.parse((await etcd.get(subnetKey())) ?? '')).toMatchObject({ PublicIP: host.address });
      expect(await etcd.get(`${PREFIX}/config`)).toBe('{"Network":"10.77.0.0/16","Backend":{"Type":"vxlan"}}');
    });

    test('keeps its flanneld process when it is bootstrapped again', async () => {
      const mainPid = () => onHost('systemctl', 'show', '--property=MainPID', 'hostler-flanneld');
      const before = await mainPid();
      expect((await service.put(`/api/v0/host/${host.address}/bootstrap`, {})).status).toBe(200);
      await isActive();
      expect(await mainPid()).toBe(before);
    });

    test('runs flanneld again after a reboot', async () => {
      await host.reboot();
      await runsFlannel();
      await isActive();
    });

    test('removes flanneld and the subnet lease when it leaves the cluster', async () => {
      const paths = '/etc/hostler /etc/systemd/system/hostler-flanneld.service /run/flannel /sys/class/net/flannel.1';
      const remainingFiles = () =>
        onHost('sh', '-c', `for each in ${paths}; do if [ -e "$each" ]; then echo "$each"; fi; done`);
      expect((await remainingFiles()).split('\n').length).toBe(4);
      await service.delete(`/api/v0/cluster/web/hosts/${host.address}`);
      await waitUntil('the host has no files of flannel', async () => (await remainingFiles()) === '', DEADLINE_MS);
      await waitUntil('the subnet is released', async () => (await etcd.get(subnetKey())) === undefined, DEADLINE_MS);
      expect(await onHost('systemctl', 'list-units', '--all', '--plain', '--no-legend', 'hostler-flanneld*')).toBe('');
      expect(await etcd.get(`${PREFIX}/config`)).toContain('10.77.0.0/16');
    });
  }),
);
