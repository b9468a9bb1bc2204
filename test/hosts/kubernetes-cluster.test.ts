// Real hosts as nodes of Kubernetes: they join, restart one by one and leave. The request log of the
// simulated API server shows the order. On the hosts, kubeadm is a stand-in. The test acts as the kubelets
// and reports each boot to the API server.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoggedRequest } from '../harness/fake-kubernetes/request-log.ts';
import type { KubernetesServer } from '../harness/fake-kubernetes/server.ts';
import { startKubernetes } from '../harness/fake-kubernetes/server.ts';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHosts } from '../harness/real-hosts/light-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { CLUSTER, FollowedOperation } from './followed-operation.ts';

const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '2',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const DEADLINE_MS = 90_000;
const HOSTS = 3;

/** Copy of the configuration that kubeadm join received. */
const JOIN_CONFIG = '/var/lib/kubeadm-given.yaml';

/**
 * Stand-in for kubeadm. After a join, the kubelet configuration names the API server, as after a real join.
 */
const KUBEADM = `#!/bin/sh
case "$1" in
  config) echo 'apiVersion: kubeadm.k8s.io/v1beta3' ;;
  join)
    cp "$3" ${JOIN_CONFIG} && mkdir -p /etc/kubernetes &&
      sed -n 's|.*apiServerEndpoint: "\\(.*\\)"|    server: https://\\1|p' "$3" >/etc/kubernetes/kubelet.conf
    ;;
  reset) rm -rf /etc/kubernetes ;;
esac
`;

describeOnRealHosts('real hosts in Kubernetes', () => {
  let service: TestService;
  let server: KubernetesServer;
  let hosts: LightHost[] = [];
  /** Boots of hosts, with the number of API requests before each. */
  const boots: { readonly name: string; readonly after: number }[] = [];

  /** Registers a host that joined with the API server and reports each later boot. */
  async function runKubelet(host: LightHost): Promise<string> {
    await waitUntil(`${host.name} has joined`, async () => {
      const { exitCode } = await host.run(['test', '-s', '/etc/kubernetes/kubelet.conf']);
      return exitCode === 0;
    });
    server.kubelet(host.name, { address: host.address, bootId: await host.bootId() });
    host.hostProcess.onStateChange = isOn => {
      if (!isOn) server.notReady(host.name);
      else
        void host.bootId().then(bootId => {
          boots.push({ name: host.name, after: server.requests.length });
          server.reboot(host.name, bootId);
        });
    };
    return host.read(JOIN_CONFIG);
  }

  let configs: string[] = [];

  beforeAll(async () => {
    [service, server] = [await startTestService('sqlite', SETTINGS), await startKubernetes({ version: '1.30' })];
    hosts = await startLightHosts(HOSTS, { identity: 'debian' });
    for (const host of hosts) {
      for (const program of ['kubeadm', 'kubelet']) await host.write(`/usr/bin/${program}`, KUBEADM, 0o755);
      host.hostProcess.rebootDurationMs = 200;
    }
    const options = { server_url: server.url, token: server.adminToken, ca_path: server.caPath };
    await service.put('/api/v0/containermanager/prod', { type: 'kubernetes', options });
    const kubelets = Promise.all(hosts.map(runKubelet));
    await enrolInCluster(service.client, hosts, { containerManager: 'prod' });
    configs = await kubelets;
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    for (const { hostProcess } of hosts) hostProcess.onStateChange = () => {};
    await Promise.all(hosts.map(host => host.stop()));
    await server?.close();
  });

  test('join with one token each, which is deleted afterwards', async () => {
    const { caHash } = server;
    const tokens = configs.map(config => /token: "?([a-z0-9]{6}\.[a-z0-9]{16})"?/.exec(config)?.[1]);
    expect(new Set(tokens).size).toBe(HOSTS);
    for (const config of configs) expect(config).toContain(caHash);
    const secrets = server.objects('secrets', 'kube-system');
    expect(secrets.filter(({ metadata }) => metadata.name.startsWith('bootstrap-token-'))).toEqual([]);
    const { body } = await service.get<{ type: string }>(`/api/v0/host/${hosts[0]?.address}/status`);
    expect(body).toMatchObject({
      type: 'kubernetes',
      container_manager: { name: hosts[0]?.name, ready: true, schedulable: true },
    });
  });

  /** Actions on a node during an operation, in order. */
  function nodeActions(name: string, requests: readonly LoggedRequest[], from: number): string[] {
    const requested = requests.flatMap(({ method, path, body, status }, index) => {
      const at = from + index;
      const isOwn = path === `/api/v1/nodes/${name}`;
      if (method === 'PATCH' && isOwn && status === 200)
        return [{ at, action: JSON.stringify(body).includes('"unschedulable":true') ? 'cordon' : 'uncordon' }];
      if (path.endsWith(`/${name}-pod/eviction`)) return [{ at, action: `evict: ${status}` }];
      return [];
    });
    const booted = boots.filter(boot => boot.name === name && boot.after >= from);
    return [...requested, ...booted.map(({ after: at }) => ({ at: at - 0.5, action: 'boot' }))]
      .sort((a, b) => a.at - b.at)
      .map(({ action }) => action);
  }

  test('are cordoned, drained, rebooted, verified and uncordoned one by one, and a cordon by others is kept', async () => {
    const [cordoned] = hosts;
    if (cordoned === undefined) throw new Error('no host');
    server.change('nodes', cordoned.name, node => Object.assign(node, { spec: { unschedulable: true } }));
    for (const { name } of hosts) server.pod(`${name}-pod`, { node: name });
    const from = server.requests.length;
    const operation = await FollowedOperation.start(service, {
      kind: 'restart',
      policy: { max_unavailable: 1, min_healthy_s: 0 },
    });
    expect(await operation.waitForEnd(DEADLINE_MS)).toBe('finished');
    const requests = server.requests.slice(from);
    for (const { name } of hosts) {
      const cordons = name === cordoned.name ? [[], []] : [['cordon'], ['uncordon']];
      expect(nodeActions(name, requests, from), name).toEqual([
        ...(cordons[0] ?? []),
        'evict: 201',
        'boot',
        ...(cordons[1] ?? []),
      ]);
    }
    expect(server.object('nodes', cordoned.name)?.['spec']).toMatchObject({ unschedulable: true });
    expect(hosts.map(({ hostProcess }) => hostProcess.boots)).toEqual(hosts.map(() => 2));
  });

  test('leave with kubeadm reset, and other nodes stay', async () => {
    const [leaving, ...others] = hosts;
    if (leaving === undefined) throw new Error('no host');
    await service.delete(`/api/v0/cluster/${CLUSTER}/hosts/${leaving.address}`);
    await waitUntil(`${leaving.name} has left`, async () => {
      const { exitCode } = await leaving.run(['test', '-e', '/etc/kubernetes']);
      return exitCode !== 0 && server.object('nodes', leaving.name) === undefined;
    });
    const names = server.objects('nodes').map(({ metadata }) => metadata.name);
    expect(names.sort()).toEqual(others.map(({ name }) => name).sort());
  });
});
