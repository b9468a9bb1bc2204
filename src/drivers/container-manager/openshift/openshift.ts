// OpenShift makes its nodes itself, and owns their systems. So hosts are adopted here: a node that is there is looked after while its
// host is in a cluster, and is given back as it was when the host leaves. What must hold: a node that was not adopted is not touched;
// no certificate is approved but those of the host's own kubelet, and none unless people allow it.

import Type from 'typebox';
import type { Right } from '../../../clients/kubernetes/access-review.ts';
import type { KubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { openKubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { harmless } from '../../../lib/text/harmless.ts';
import type { TaskHost } from '../../host-task.ts';
import { certificateWithKey } from '../../option-fields.ts';
import type {
  ContainerManager,
  ContainerManagerDriver,
  ContainerManagerRecord,
} from '../container-manager.ts';
import { kubeAccess } from '../kube-access.ts';
import { AdoptedNodes, adoptedOnly } from '../kube-adopted-nodes.ts';
import { kubeCheck } from '../kube-check.ts';
import { kubeNodes } from '../kube-nodes.ts';
import { kubeOptions } from '../kube-options.ts';
import { approveClient, approveServing } from './approve.ts';
import { CLIENT_SIGNER, SERVING_SIGNER } from './kubelet-requests.ts';

const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };
const APPROVAL_RIGHTS: readonly Right[] = [
  { verb: 'list', ...requests },
  { verb: 'get', ...requests },
  { verb: 'update', ...requests, subresource: 'approval' },
  ...[CLIENT_SIGNER, SERVING_SIGNER].map(name => ({
    verb: 'approve' as const,
    group: requests.group,
    resource: 'signers',
    name,
  })),
];

/** Answers why a host is no node yet. */
async function admit(api: KubernetesApi, adopted: AdoptedNodes, host: TaskHost): Promise<string> {
  const approval = await approveClient(api, host);
  if (approval.state === 'refused') return approval.detail;
  if (approval.state === 'approved') await adopted.note(host.address, 'joining');
  return (await adopted.is(host.address, 'joining'))
    ? 'the first certificate is approved; waiting for the kubelet to register'
    : `waiting for the kubelet to request a certificate as ${harmless(host.hostname.toLowerCase())}`;
}

function openOpenshift(record: ContainerManagerRecord): ContainerManager {
  const mayApprove = record.options['join'] === true;
  const api = openKubernetesApi(kubeAccess(record));
  const nodes = kubeNodes(api, record.memory);
  const adopted = new AdoptedNodes(record.memory);
  return {
    ...adoptedOnly(api, nodes, adopted),
    check: () => kubeCheck(api, mayApprove ? APPROVAL_RIGHTS : []),
    joinTask: async () => null,
    async register(host) {
      const node = await nodes.finder.find(host.address);
      if (node === undefined && mayApprove) return admit(api, adopted, host);
      if (node === undefined)
        return `${api.name} has no node with the address ${host.address}: OpenShift creates its nodes itself; create the node there, and Hostler finds it by its address`;
      if (mayApprove) {
        const approval = await approveServing(api, host, node);
        if (approval.state === 'refused') return approval.detail;
        if (approval.state === 'none' && (await adopted.is(host.address, 'joining')))
          return 'waiting for the kubelet to request its serving certificate';
      }
      await adopted.note(host.address, 'adopted');
      return undefined;
    },
    leaveTask: async () => null,
  };
}

export const openshift: ContainerManagerDriver = {
  type: 'openshift',
  summary: 'OpenShift; Hostler adopts the nodes that OpenShift creates',
  options: Type.Object(
    {
      ...kubeOptions.properties,
      join: Type.Optional(
        Type.Boolean({
          description:
            'Whether Hostler approves the certificate requests of hosts that become nodes. Default `false`.',
        }),
      ),
    },
    { additionalProperties: false, ...certificateWithKey },
  ),
  identity: { server_url: undefined },
  refuses: {
    deploy:
      'OpenShift manages the operating system of its nodes; its machine config operator would revert the change',
  },
  open: openOpenshift,
};
