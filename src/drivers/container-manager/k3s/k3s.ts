import type { Address } from '../../../domain/addresses/address.ts';
import type { DriverMemory } from '../../../domain/driver-record.ts';
import type { KubernetesClient, Permission } from '../../../integrations/kubernetes/kubernetes-client.ts';
import { createKubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';
import type { ContainerManager, ContainerManagerContext, ContainerManagerDriver } from '../container-manager.ts';
import { checkKubeConnection, DELETE_NODE_PERMISSIONS, kubeConnectionOptions } from '../kube-connection.ts';
import { createKubeNodes, isControlPlane } from '../kube-nodes.ts';
import { k3sJoinPlan, k3sLeavePlan } from './agent-plans.ts';
import type { K3sOptions } from './k3s-options.ts';
import { checkApiOptions, checkJoinOptions, k3sOptions } from './k3s-options.ts';

const NAMESPACE = 'kube-system';

const nodeNameKey = (address: Address) => `password ${address}`;

// k3s stores a password per node name and rejects a node that joins under the same name with another password, so the
// password is deleted with the node. The name is recorded because others may have deleted the node.
function createNodePasswords(api: KubernetesClient, memory: DriverMemory) {
  async function deletePassword(address: Address): Promise<void> {
    const name = await memory.get(nodeNameKey(address));
    if (name === undefined) return;
    // A node that is being deleted can still exist. If the name now belongs to a node of another host, its password
    // must stay.
    const node = await api.nodes.get(name);
    if (node === undefined || node.addresses.includes(address))
      await api.secrets.delete({ namespace: NAMESPACE, name: `${name}.node-password.k3s` });
    await memory.delete(nodeNameKey(address));
  }
  return {
    deletePassword,
    async recordNodeName(address: Address, name: string): Promise<void> {
      const recorded = await memory.get(nodeNameKey(address));
      if (recorded === name) return;
      if (recorded !== undefined) await deletePassword(address);
      await memory.compareAndSet(nodeNameKey(address), undefined, name);
    },
  };
}

const K3S_PERMISSIONS: readonly Permission[] = [
  ...DELETE_NODE_PERMISSIONS,
  { verb: 'delete', resource: 'secrets', namespace: NAMESPACE },
];

async function checkK3sConnection(api: KubernetesClient, options: K3sOptions) {
  const problems = [...checkApiOptions(options), ...checkJoinOptions(options)];
  if (checkApiOptions(options).length > 0) return { version: '', problems };
  const report = await checkKubeConnection(api, K3S_PERMISSIONS);
  return { ...report, problems: [...problems, ...report.problems] };
}

function openK3s(context: ContainerManagerContext<K3sOptions>): ContainerManager {
  const { name, options } = context;
  const connection = kubeConnectionOptions({ ...context, options: { ...options, token: options.api_token } });
  const api = createKubernetesClient({ ...connection, tokenOption: 'api_token' });
  const passwords = createNodePasswords(api, context.memory);
  const { finder, ...nodes } = createKubeNodes(api, context.memory);
  return {
    ...nodes,
    checkConnection: () => checkK3sConnection(api, options),
    joinPlan: async host => k3sJoinPlan(name, options, host),
    async register({ address }) {
      const node = await finder.find(address);
      if (node === undefined)
        return `${api.displayName} has no node with the address ${address} yet; see journalctl -u k3s-agent on the host`;
      await passwords.recordNodeName(address, node.name);
      return undefined;
    },
    async remove(address) {
      const node = await finder.findInAllNodes(address);
      if (node !== undefined) await passwords.recordNodeName(address, node.name);
      await nodes.remove(address);
      // A k3s server keeps its node, so its password stays too.
      if (node === undefined || !isControlPlane(node)) await passwords.deletePassword(address);
    },
    leavePlan: async () => k3sLeavePlan(name),
  };
}

export const k3s: ContainerManagerDriver = {
  type: 'k3s',
  summary: 'k3s; hosts join as agents',
  options: k3sOptions,
  immutableOptions: { server_url: undefined },
  open: openK3s,
};
