// OpenShift creates its nodes itself, so Hostler adopts them. It approves certificate requests only if `join` is set,
// and only those of the kubelet of the host.

import Type from 'typebox';
import type { KubernetesClient, Permission } from '../../../integrations/kubernetes/kubernetes-client.ts';
import { createKubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import type { HostRef } from '../../command-plan.ts';
import { tlsClientOptions } from '../../option-schemas.ts';
import type { ContainerManager, ContainerManagerContext, ContainerManagerDriver } from '../container-manager.ts';
import type { AdoptedNodes } from '../kube-adopted-nodes.ts';
import { createAdoptedNodes } from '../kube-adopted-nodes.ts';
import type { KubeOptions } from '../kube-connection.ts';
import { checkKubeConnection, kubeConnectionOptions, kubeOptions } from '../kube-connection.ts';
import { approveClientCsr, approveServingCsr, CLIENT_SIGNER, SERVING_SIGNER } from './certificate-approval.ts';

const CSR_RESOURCE = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };
const APPROVAL_PERMISSIONS: readonly Permission[] = [
  { verb: 'list', ...CSR_RESOURCE },
  { verb: 'get', ...CSR_RESOURCE },
  { verb: 'update', ...CSR_RESOURCE, subresource: 'approval' },
  { verb: 'approve', group: CSR_RESOURCE.group, resource: 'signers', name: CLIENT_SIGNER },
  { verb: 'approve', group: CSR_RESOURCE.group, resource: 'signers', name: SERVING_SIGNER },
];

async function approveJoin(api: KubernetesClient, adopted: AdoptedNodes, host: HostRef): Promise<string> {
  const approval = await approveClientCsr(api, host);
  if (approval.state === 'refused') return approval.detail;
  if (approval.state === 'approved') await adopted.setState(host.address, 'joining');
  return (await adopted.hasState(host.address, 'joining'))
    ? 'the first certificate is approved; waiting for the kubelet to register'
    : `waiting for the kubelet to request a certificate as ${sanitizeLine(host.hostname.toLowerCase())}`;
}

function openOpenshift(context: ContainerManagerContext<KubeOptions>): ContainerManager {
  const mayApprove = context.options.join === true;
  const api = createKubernetesClient(kubeConnectionOptions(context));
  const adopted = createAdoptedNodes(api, context.memory);
  return {
    ...adopted.methods,
    checkConnection: () => checkKubeConnection(api, mayApprove ? APPROVAL_PERMISSIONS : []),
    async register(host) {
      const node = await adopted.finder.find(host.address);
      if (node === undefined && mayApprove) return approveJoin(api, adopted, host);
      if (node === undefined)
        return `${api.displayName} has no node with the address ${host.address}: OpenShift creates its nodes itself; create the node there, and Hostler finds it by its address`;
      if (mayApprove) {
        const approval = await approveServingCsr(api, host, node);
        if (approval.state === 'refused') return approval.detail;
        if (approval.state === 'none' && (await adopted.hasState(host.address, 'joining')))
          return 'waiting for the kubelet to request its serving certificate';
      }
      await adopted.setState(host.address, 'adopted');
      return undefined;
    },
  };
}

export const openshift: ContainerManagerDriver = {
  type: 'openshift',
  summary: 'OpenShift; Hostler adopts the nodes that OpenShift creates',
  options: tlsClientOptions({
    ...kubeOptions.properties,
    join: Type.Optional(
      Type.Boolean({
        description: 'Whether Hostler approves the certificate requests of hosts that become nodes. Default `false`.',
      }),
    ),
  }),
  immutableOptions: { server_url: undefined },
  unsupportedOperations: {
    deploy: 'OpenShift manages the operating system of its nodes; its machine config operator would revert the change',
  },
  open: openOpenshift,
};
