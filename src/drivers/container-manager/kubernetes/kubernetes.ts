import type { Right } from '../../../clients/kubernetes/access-review.ts';
import type { KubeNode } from '../../../clients/kubernetes/kube-node.ts';
import type { KubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { openKubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { ServerFailure } from '../../../clients/server-failure.ts';
import { Secret } from '../../../domain/secret.ts';
import { messageOf } from '../../../lib/errors/message-of.ts';
import { harmless } from '../../../lib/text/harmless.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import type { HostTask, TaskHost } from '../../host-task.ts';
import type {
  ContainerManager,
  ContainerManagerDriver,
  ContainerManagerRecord,
} from '../container-manager.ts';
import { kubeAccess } from '../kube-access.ts';
import { AdoptedNodes, adoptedOnly } from '../kube-adopted-nodes.ts';
import { kubeCheck, REMOVAL_RIGHTS } from '../kube-check.ts';
import { kubeNodes } from '../kube-nodes.ts';
import { kubeOptions } from '../kube-options.ts';
import { remember } from '../remember.ts';
import { BootstrapTokens } from './bootstrap-tokens.ts';
import type { ClusterInfo } from './cluster-info.ts';
import { readClusterInfo } from './cluster-info.ts';
import { JOIN, LEAVE, PREPARE } from './scripts.ts';

/** What it takes to let hosts in. */
const JOIN_RIGHTS: readonly Right[] = [
  ...REMOVAL_RIGHTS,
  ...(['get', 'create', 'delete'] as const).map(verb => ({
    verb,
    resource: 'secrets',
    namespace: 'kube-system',
  })),
];

/** Under this the URL is remembered that the kubelets call, who may know the API by another name than we. */
const serverKey = ({ options }: ContainerManagerRecord) => `server of ${options['server_url']}`;

const HINT = 'install kubeadm and kubelet in the version of the cluster, and a container runtime';

function joinTask({ address }: TaskHost, info: ClusterInfo, token: Secret): HostTask {
  const { serverUrl, endpoint, caCertHashes } = info;
  return {
    needs: ['kubeadm', 'kubelet'],
    hint: HINT,
    commands: [
      {
        argv: ['sh', '-c', PREPARE, 'sh', address, endpoint, ...caCertHashes],
        input: new Secret(`${token.reveal()}\n`),
      },
      { argv: ['sh', '-c', JOIN, 'sh', serverUrl] },
    ],
  };
}

async function clusterInfoProblems(api: KubernetesApi): Promise<readonly string[]> {
  try {
    await readClusterInfo(api);
    return [];
  } catch (error) {
    if (error instanceof ServerFailure) throw error;
    return [messageOf(error)];
  }
}

/** Joins hosts by kubeadm. */
function openJoining(
  record: ContainerManagerRecord,
  api: KubernetesApi,
  now: () => number,
): ContainerManager {
  const { memory } = record;
  const { finder, ...nodes } = kubeNodes(api, memory);
  const tokens = new BootstrapTokens(api.secrets, now);
  return {
    ...nodes,
    async check() {
      const { version, problems } = await kubeCheck(api, JOIN_RIGHTS);
      return { version, problems: [...problems, ...(await clusterInfoProblems(api))] };
    },
    async joinTask(host) {
      // It would take the node of the other over, or never turn up.
      const problem = namesakeProblem(host, (await api.nodes.list()).items);
      if (problem !== undefined) throw new Error(problem);
      const info = await readClusterInfo(api);
      await remember(memory, serverKey(record), info.serverUrl);
      return joinTask(host, info, await tokens.mint(host.address));
    },
    async register(host) {
      const { items } = await api.nodes.list();
      if ((await finder.pick(host.address, items)) === undefined)
        return namesakeProblem(host, items) ?? 'the kubelet has not registered yet';
      await tokens.revoke(host.address);
      return undefined;
    },
    async remove(address) {
      await nodes.remove(address);
      await tokens.revoke(address);
    },
    async leaveTask() {
      const serverUrl = (await memory.get(serverKey(record))) ?? (await readClusterInfo(api)).serverUrl;
      return { needs: [], hint: '', commands: [{ argv: ['sh', '-c', LEAVE, 'sh', serverUrl] }] };
    },
  };
}

/** For hosts that others make nodes of: they are looked after while they are in a cluster, and given back. */
function openAdopting({ memory }: ContainerManagerRecord, api: KubernetesApi): ContainerManager {
  const nodes = kubeNodes(api, memory);
  const adopted = new AdoptedNodes(memory);
  return {
    ...adoptedOnly(api, nodes, adopted),
    check: () => kubeCheck(api),
    joinTask: async () => null,
    async register(host) {
      const { items } = await api.nodes.list();
      if ((await nodes.finder.pick(host.address, items)) === undefined)
        return (
          namesakeProblem(host, items) ??
          `${host.address} is not a node of ${api.name}, and join is false: add the node yourself; Hostler finds it by its address`
        );
      await adopted.note(host.address, 'adopted');
      return undefined;
    },
    leaveTask: async () => null,
  };
}

/** A kubelet of that name is there, and says that its host has another address. */
function namesakeProblem({ address, hostname }: TaskHost, nodes: readonly KubeNode[]): string | undefined {
  const namesake = nodes.find(
    ({ name, addresses }) => name === hostname.toLowerCase() && !addresses.includes(address),
  );
  return (
    namesake &&
    `the node ${harmless(namesake.name)} has other addresses: ${namesake.addresses.join(', ') || 'none'}`
  );
}

export function openKubernetes(
  record: ContainerManagerRecord,
  { now = systemClock.now, timeoutMs }: { readonly now?: () => number; readonly timeoutMs?: number } = {},
): ContainerManager {
  const api = openKubernetesApi({ ...kubeAccess(record), ...(timeoutMs !== undefined && { timeoutMs }) });
  return record.options['join'] === false ? openAdopting(record, api) : openJoining(record, api, now);
}

export const kubernetes: ContainerManagerDriver = {
  type: 'kubernetes',
  summary: 'Kubernetes; hosts join with kubeadm',
  options: kubeOptions,
  identity: { server_url: undefined, join: true },
  open: record => openKubernetes(record),
};
