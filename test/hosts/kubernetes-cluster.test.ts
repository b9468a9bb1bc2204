// Real hosts as nodes of a Kubernetes: they join, are restarted one by one, and leave. The server's own log of requests tells in which
// order that went. On the hosts kubeadm is a stand-in, and the kubelets are the test's: it tells the server of each boot.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/hosts/light-host.ts';
import { startLightHosts } from '../harness/hosts/start-light-host.ts';
import type { LoggedRequest } from '../harness/pretend-kubernetes/request-log.ts';
import type { KubernetesServer } from '../harness/pretend-kubernetes/server.ts';
import { startKubernetes } from '../harness/pretend-kubernetes/server.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { CLUSTER, FollowedOperation } from './followed-operation.ts';
import { FIRST_BUILD_MS } from './host-status.ts';

const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '2',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const TEST_MS = 90_000;
const HOSTS = 3;

/** What it was given to join by. */
const GIVEN = '/var/lib/kubeadm-given.yaml';

/** What it is asked for, and nothing else: the kubelet's configuration names the server, as after a real join. */
const KUBEADM = `#!/bin/sh
case "$1" in
  config) echo 'apiVersion: kubeadm.k8s.io/v1beta3' ;;
  join)
    cp "$3" ${GIVEN} && mkdir -p /etc/kubernetes &&
      sed -n 's|.*apiServerEndpoint: "\\(.*\\)"|    server: https://\\1|p' "$3" >/etc/kubernetes/kubelet.conf
    ;;
  reset) rm -rf /etc/kubernetes ;;
esac
`;

describeOnRealHosts('real hosts in a Kubernetes', () => {
  let [service, server]: [TestService?, KubernetesServer?] = [];
  let hosts: LightHost[] = [];
  /** What happened on hosts, among what was asked of the server. */
  const boots: { readonly name: string; readonly after: number }[] = [];

  const its = <T>(made: T | undefined): T => {
    if (made === undefined) throw new Error('it was not started');
    return made;
  };

  /** Tells the server of a host that has joined, and of each boot of it from then on. */
  async function runKubelet(host: LightHost): Promise<string> {
    await until(`${host.name} has joined`, async () => {
      const { exitCode } = await host.run(['test', '-s', '/etc/kubernetes/kubelet.conf']);
      return exitCode === 0;
    });
    its(server).kubelet(host.name, { address: host.address, bootId: await host.bootId() });
    host.power.onSwitched = isOn => {
      if (!isOn) its(server).notReady(host.name);
      else
        void host.bootId().then(bootId => {
          boots.push({ name: host.name, after: its(server).requests.length });
          its(server).reboot(host.name, bootId);
        });
    };
    return host.read(GIVEN);
  }

  let configs: string[] = [];

  beforeAll(async () => {
    [service, server] = [
      await startTestService('sqlite', SETTINGS),
      await startKubernetes({ version: '1.30' }),
    ];
    hosts = await startLightHosts(HOSTS, { identity: 'debian' });
    for (const host of hosts) {
      for (const program of ['kubeadm', 'kubelet']) await host.write(`/usr/bin/${program}`, KUBEADM, 0o755);
      host.power.rebootTakesMs = 200;
    }
    const options = { server_url: server.url, token: server.adminToken, ca_path: server.caPath };
    await service.put('/api/v0/containermanager/prod', { type: 'kubernetes', options });
    const kubelets = Promise.all(hosts.map(runKubelet));
    await enrolInCluster(service, hosts, { containerManager: 'prod' });
    configs = await kubelets;
  }, FIRST_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    for (const { power } of hosts) power.onSwitched = () => {};
    await Promise.all(hosts.map(host => host.stop()));
    await server?.close();
  });

  test('join by a token of their own, which is gone afterwards', async () => {
    const { caHash } = its(server);
    const tokens = configs.map(config => /token: "?([a-z0-9]{6}\.[a-z0-9]{16})"?/.exec(config)?.[1]);
    expect(new Set(tokens).size).toBe(HOSTS);
    for (const config of configs) expect(config).toContain(caHash);
    const secrets = its(server).objects('secrets', 'kube-system');
    expect(secrets.filter(({ metadata }) => metadata.name.startsWith('bootstrap-token-'))).toEqual([]);
    const { body } = await its(service).get<{ type: string }>(`/api/v0/host/${hosts[0]?.address}/status`);
    expect(body).toMatchObject({
      type: 'kubernetes',
      container_manager: { name: hosts[0]?.name, ready: true, schedulable: true },
    });
  });

  /** What was asked for a node in an operation, in order. */
  function storyOf(name: string, requests: readonly LoggedRequest[], from: number): string[] {
    const told = requests.flatMap(({ method, path, body, status }, index) => {
      const at = from + index;
      const isOwn = path === `/api/v1/nodes/${name}`;
      if (method === 'PATCH' && isOwn && status === 200)
        return [{ at, what: JSON.stringify(body).includes('"unschedulable":true') ? 'cordon' : 'uncordon' }];
      if (path.endsWith(`/${name}-pod/eviction`)) return [{ at, what: `evict: ${status}` }];
      return [];
    });
    const booted = boots.filter(boot => boot.name === name && boot.after >= from);
    return [...told, ...booted.map(({ after: at }) => ({ at: at - 0.5, what: 'boot' }))]
      .sort((a, b) => a.at - b.at)
      .map(({ what }) => what);
  }

  test('are cordoned, drained, rebooted, proved and uncordoned one by one, but for what others have cordoned', {
    timeout: TEST_MS,
  }, async () => {
    const kube = its(server);
    const [spared] = hosts;
    if (spared === undefined) throw new Error('there is a host');
    kube.change('nodes', spared.name, node => Object.assign(node, { spec: { unschedulable: true } }));
    for (const { name } of hosts) kube.pod(`${name}-pod`, { node: name });
    const from = kube.requests.length;
    const operation = await FollowedOperation.start(its(service), {
      kind: 'restart',
      policy: { max_unavailable: 1, min_healthy_s: 0 },
    });
    expect(await operation.end(TEST_MS)).toBe('finished');
    const requests = kube.requests.slice(from);
    for (const { name } of hosts) {
      const cordons = name === spared.name ? [[], []] : [['cordon'], ['uncordon']];
      expect(storyOf(name, requests, from), name).toEqual([
        ...(cordons[0] ?? []),
        'evict: 201',
        'boot',
        ...(cordons[1] ?? []),
      ]);
    }
    expect(kube.object('nodes', spared.name)?.['spec']).toMatchObject({ unschedulable: true });
    expect(hosts.map(({ power }) => power.boots)).toEqual(hosts.map(() => 2));
  });

  test('leave it with what kubeadm undoes, and no other node goes', { timeout: TEST_MS }, async () => {
    const [left, ...others] = hosts;
    if (left === undefined) throw new Error('there is a host');
    await its(service).delete(`/api/v0/cluster/${CLUSTER}/hosts/${left.address}`);
    await until(`${left.name} has left`, async () => {
      const { exitCode } = await left.run(['test', '-e', '/etc/kubernetes']);
      return exitCode !== 0 && its(server).object('nodes', left.name) === undefined;
    });
    const names = its(server)
      .objects('nodes')
      .map(({ metadata }) => metadata.name);
    expect(names.sort()).toEqual(others.map(({ name }) => name).sort());
  });
});
