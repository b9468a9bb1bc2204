import { scriptArgv } from '../../../domain/command.ts';
import { Secret } from '../../../domain/secret.ts';
import { RemoteServerError } from '../../../integrations/http/remote-error.ts';
import type { KubernetesClient, Permission } from '../../../integrations/kubernetes/kubernetes-client.ts';
import { createKubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';
import type { KubeNode } from '../../../integrations/kubernetes/nodes.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import type { CommandPlan, HostRef } from '../../command-plan.ts';
import type { ContainerManager, ContainerManagerContext, ContainerManagerDriver } from '../container-manager.ts';
import { setIfChanged } from '../container-manager.ts';
import { createAdoptedNodes } from '../kube-adopted-nodes.ts';
import type { KubeOptions } from '../kube-connection.ts';
import {
  checkKubeConnection,
  DELETE_NODE_PERMISSIONS,
  kubeConnectionOptions,
  kubeOptions,
} from '../kube-connection.ts';
import type { KubeNodeFinder } from '../kube-node-finder.ts';
import { createKubeNodes } from '../kube-nodes.ts';
import { createBootstrapTokens } from './bootstrap-tokens.ts';
import type { ClusterInfo } from './cluster-info.ts';
import { readClusterInfo } from './cluster-info.ts';
import { KUBEADM_JOIN, KUBEADM_RESET, WRITE_JOIN_CONFIG } from './kubeadm-scripts.ts';

const JOIN_PERMISSIONS: readonly Permission[] = [
  ...DELETE_NODE_PERMISSIONS,
  { verb: 'get', resource: 'secrets', namespace: 'kube-system' },
  { verb: 'create', resource: 'secrets', namespace: 'kube-system' },
  { verb: 'delete', resource: 'secrets', namespace: 'kube-system' },
];

type Context = ContainerManagerContext<KubeOptions>;

/** Memory key of the API server URL that kubelets use. It can differ from `server_url`. */
const serverUrlKey = ({ options }: Context) => `server of ${options.server_url}`;

function kubeadmJoinPlan({ address }: HostRef, info: ClusterInfo, token: Secret): CommandPlan {
  const writeConfig = scriptArgv(WRITE_JOIN_CONFIG, address, info.endpoint, ...info.caCertHashes);
  return {
    requires: {
      programs: ['kubeadm', 'kubelet'],
      installHint: 'install kubeadm and kubelet in the version of the cluster, and a container runtime',
    },
    commands: [
      { argv: writeConfig, input: new Secret(`${token.reveal()}\n`) },
      { argv: scriptArgv(KUBEADM_JOIN, info.serverUrl) },
    ],
  };
}

async function checkClusterInfo(api: KubernetesClient): Promise<readonly string[]> {
  try {
    await readClusterInfo(api);
    return [];
  } catch (error) {
    if (error instanceof RemoteServerError && error.kind !== 'rejected') throw error;
    return [errorMessage(error)];
  }
}

function openKubeadmManager(context: Context, api: KubernetesClient, now: () => number): ContainerManager {
  const { memory } = context;
  const { finder, ...nodes } = createKubeNodes(api, memory);
  const tokens = createBootstrapTokens(api.secrets, now);
  return {
    ...nodes,
    async checkConnection() {
      const { version, problems } = await checkKubeConnection(api, JOIN_PERMISSIONS);
      return { version, problems: [...problems, ...(await checkClusterInfo(api))] };
    },
    async joinPlan(host) {
      // The host would take over the node of the other host, or never register.
      const problem = checkNameConflict(host, (await api.nodes.list()).items);
      if (problem !== undefined) throw new Error(problem);
      const info = await readClusterInfo(api);
      await setIfChanged(memory, serverUrlKey(context), info.serverUrl);
      return kubeadmJoinPlan(host, info, await tokens.getOrCreate(host.address));
    },
    async register(host) {
      const problem = await checkRegistered(api, finder, host, 'the kubelet has not registered yet');
      if (problem === undefined) await tokens.revoke(host.address);
      return problem;
    },
    async remove(address) {
      await nodes.remove(address);
      await tokens.revoke(address);
    },
    async leavePlan() {
      const serverUrl = (await memory.get(serverUrlKey(context))) ?? (await readClusterInfo(api)).serverUrl;
      return { commands: [{ argv: scriptArgv(KUBEADM_RESET, serverUrl) }] };
    },
  };
}

function openAdoptingManager({ memory }: Context, api: KubernetesClient): ContainerManager {
  const { methods, finder, setState } = createAdoptedNodes(api, memory);
  return {
    ...methods,
    checkConnection: () => checkKubeConnection(api),
    async register(host) {
      const missing = `${host.address} is not a node of ${api.displayName}, and join is false: add the node yourself; Hostler finds it by its address`;
      const problem = await checkRegistered(api, finder, host, missing);
      if (problem === undefined) await setState(host.address, 'adopted');
      return problem;
    },
  };
}

async function checkRegistered(api: KubernetesClient, finder: KubeNodeFinder, host: HostRef, missing: string) {
  const { items } = await api.nodes.list();
  const node = await finder.selectByAddress(host.address, items);
  return node === undefined ? (checkNameConflict(host, items) ?? missing) : undefined;
}

/** Detects a node with the name of this host but other addresses. */
function checkNameConflict({ address, hostname }: HostRef, nodes: readonly KubeNode[]): string | undefined {
  const conflicting = nodes.find(
    ({ name, addresses }) => name === hostname.toLowerCase() && !addresses.includes(address),
  );
  return (
    conflicting &&
    `the node ${sanitizeLine(conflicting.name)} has other addresses: ${conflicting.addresses.join(', ') || 'none'}`
  );
}

export function openKubernetes(
  context: Context,
  { now = systemClock.now, timeoutMs }: { readonly now?: () => number; readonly timeoutMs?: number } = {},
): ContainerManager {
  const api = createKubernetesClient({
    ...kubeConnectionOptions(context),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return context.options.join === false ? openAdoptingManager(context, api) : openKubeadmManager(context, api, now);
}

export const kubernetes: ContainerManagerDriver = {
  type: 'kubernetes',
  summary: 'Kubernetes; hosts join with kubeadm',
  options: kubeOptions,
  immutableOptions: { server_url: undefined, join: true },
  open: (context: Context) => openKubernetes(context),
};
