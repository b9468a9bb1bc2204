import type { CertificateRequest } from '../../../clients/kubernetes/certificate-requests-api.ts';
import type { KubeNode } from '../../../clients/kubernetes/kube-node.ts';
import { nodeNames } from '../../../clients/kubernetes/kube-node.ts';
import type { KubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { harmless } from '../../../lib/text/harmless.ts';
import { someOf } from '../../../lib/text/some-of.ts';
import type { TaskHost } from '../../host-task.ts';
import { CLIENT_SIGNER, isClientRequest, isServingRequest, SERVING_SIGNER } from './kubelet-requests.ts';

type Api = Pick<KubernetesApi, 'name' | 'nodes' | 'certificateRequests'>;

export type Approval =
  | { readonly state: 'approved' }
  /** Nobody asks. */
  | { readonly state: 'none' }
  /** The detail is for people. */
  | { readonly state: 'refused'; readonly detail: string };

const refused = (detail: string): Approval => ({ state: 'refused', detail });

/** Several could be anybody's: then people have to look. */
async function approveOnly(
  { certificateRequests }: Api,
  requests: readonly CertificateRequest[],
  { address }: TaskHost,
): Promise<Approval> {
  const [request, ...more] = requests;
  if (request === undefined) return { state: 'none' };
  if (more.length > 0) {
    const names = someOf(requests.map(({ name }) => harmless(name)));
    return refused(
      `${requests.length} pending certificate requests match this host and cannot be distinguished; approve or deny them manually: ${names}`,
    );
  }
  const outcome = await certificateRequests.approve(
    request,
    `Host ${address} joins a cluster managed by Hostler.`,
  );
  return outcome === 'approved'
    ? { state: 'approved' }
    : refused(`the certificate request ${harmless(request.name)} was changed by another client`);
}

/** Lets a host that is no node yet become one. */
export async function approveClient(api: Api, host: TaskHost): Promise<Approval> {
  // As kubelets write it.
  const nodeName = host.hostname.toLowerCase();
  if (nodeName === '')
    return refused('the host name is unknown, so its certificate request cannot be identified');
  const namesake = await api.nodes.get(nodeName);
  if (namesake !== undefined)
    return refused(
      `${api.name} has a node ${nodeNames([namesake])} with other addresses than ${host.address}: rename the host, or delete the node if it no longer exists`,
    );
  const all = await api.certificateRequests.list(CLIENT_SIGNER);
  return approveOnly(
    api,
    all.filter(request => isClientRequest(request, nodeName)),
    host,
  );
}

/** Lets others believe the kubelet of a node. One that was decided on before counts as approved: it was somebody else's decision. */
export async function approveServing(api: Api, host: TaskHost, node: KubeNode): Promise<Approval> {
  const all = await api.certificateRequests.list(SERVING_SIGNER);
  const own = all.filter(request => isServingRequest(request, node));
  if (own.length === 0) {
    const isDecided = all.some(
      ({ username, isPending }) => username === `system:node:${node.name}` && !isPending,
    );
    return { state: isDecided ? 'approved' : 'none' };
  }
  const rivals = (await api.nodes.list()).items.filter(
    ({ uid, addresses }) => uid !== node.uid && addresses.some(one => node.addresses.includes(one)),
  );
  if (rivals.length === 0) return approveOnly(api, own, host);
  return refused(
    `the node shares an address with ${nodeNames(rivals)}; delete the nodes that no longer exist`,
  );
}
