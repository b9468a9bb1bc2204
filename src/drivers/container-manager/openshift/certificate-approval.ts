// Approves certificate requests of the kubelet of one host. An attacker whose request is approved can impersonate that
// node. A request must therefore match the request of a kubelet exactly; all others are left to an administrator.

import type { CertificateRequest } from '../../../integrations/kubernetes/certificate-requests.ts';
import type { KubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';
import type { KubeNode } from '../../../integrations/kubernetes/nodes.ts';
import { formatNodeNames } from '../../../integrations/kubernetes/nodes.ts';
import { tryOr } from '../../../lib/errors.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { listSome } from '../../../lib/text.ts';
import type { HostRef } from '../../command-plan.ts';
import type { RequestedCertificate } from './certificate-request.ts';
import { parseCertificateRequest } from './certificate-request.ts';

export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

const MACHINE_CONFIG = 'openshift-machine-config-operator';
/** Service account that new hosts use, from their Ignition configuration. */
const BOOTSTRAPPER = `system:serviceaccount:${MACHINE_CONFIG}:node-bootstrapper`;

interface Requester {
  readonly username: string;
  readonly group: string;
  readonly usage: 'client auth' | 'server auth';
}

/** Kubelets omit `key encipherment` for keys other than RSA. */
function hasExactUsages(usages: readonly string[], usage: Requester['usage']): boolean {
  const others = usages.filter(name => name !== 'key encipherment');
  return (
    usages.length === new Set(usages).size &&
    others.length === 2 &&
    ['digital signature', usage].every(name => others.includes(name))
  );
}

function parseIfFrom(request: CertificateRequest, requester: Requester): RequestedCertificate | undefined {
  const { isPending, username, groups, usages, pem } = request;
  const isRequester = username === requester.username && groups.includes(requester.group);
  if (!isPending || !isRequester || !hasExactUsages(usages, requester.usage)) return undefined;
  return tryOr(undefined, () => parseCertificateRequest(pem));
}

const hasNodeSubject = ({ subject }: RequestedCertificate, nodeName: string): boolean =>
  subject.length === 2 && subject.includes('O=system:nodes') && subject.includes(`CN=system:node:${nodeName}`);

/** Request of a host that is not a node yet for the client certificate of this node name. */
export function isClientRequest(request: CertificateRequest, nodeName: string): boolean {
  const group = `system:serviceaccounts:${MACHINE_CONFIG}`;
  const requester = { username: BOOTSTRAPPER, group, usage: 'client auth' } as const;
  const requested = request.signerName === CLIENT_SIGNER ? parseIfFrom(request, requester) : undefined;
  if (requested === undefined || !hasNodeSubject(requested, nodeName)) return false;
  return requested.dnsNames.length === 0 && requested.addresses.length === 0;
}

/** Request of a node for the serving certificate of its name and all its addresses. */
export function isServingRequest(
  request: CertificateRequest,
  { name, addresses }: Pick<KubeNode, 'name' | 'addresses'>,
): boolean {
  const username = `system:node:${name}`;
  const requester = { username, group: 'system:nodes', usage: 'server auth' } as const;
  const requested = request.signerName === SERVING_SIGNER ? parseIfFrom(request, requester) : undefined;
  if (requested === undefined || !hasNodeSubject(requested, name)) return false;
  const requestedAddresses = new Set(requested.addresses);
  return (
    requested.dnsNames.every(dnsName => dnsName === name) &&
    requestedAddresses.size === addresses.length &&
    addresses.every(address => requestedAddresses.has(address))
  );
}

type ApprovalApi = Pick<KubernetesClient, 'displayName' | 'nodes' | 'certificateRequests'>;

type ApprovalResult =
  | { readonly state: 'approved' }
  | { readonly state: 'none' }
  | { readonly state: 'refused'; readonly detail: string };

const refused = (detail: string): ApprovalResult => ({ state: 'refused', detail });

/** Several matching requests cannot be distinguished, so an administrator must decide. */
async function approveSingle(
  { certificateRequests }: ApprovalApi,
  requests: readonly CertificateRequest[],
  { address }: HostRef,
): Promise<ApprovalResult> {
  const [request, ...others] = requests;
  if (request === undefined) return { state: 'none' };
  if (others.length > 0) {
    const names = listSome(requests.map(({ name }) => sanitizeLine(name)));
    return refused(
      `${requests.length} pending certificate requests match this host and cannot be distinguished; approve or deny them manually: ${names}`,
    );
  }
  const result = await certificateRequests.approve(request, `Host ${address} joins a cluster managed by Hostler.`);
  return result === 'approved'
    ? { state: 'approved' }
    : refused(`the certificate request ${sanitizeLine(request.name)} was changed by another client`);
}

export async function approveClientCsr(api: ApprovalApi, host: HostRef): Promise<ApprovalResult> {
  // Kubelets use the host name in lowercase.
  const nodeName = host.hostname.toLowerCase();
  if (nodeName === '') return refused('the host name is unknown, so its certificate request cannot be identified');
  const conflicting = await api.nodes.get(nodeName);
  if (conflicting !== undefined)
    return refused(
      `${api.displayName} has a node ${formatNodeNames([conflicting])} with other addresses than ${host.address}: rename the host, or delete the node if it no longer exists`,
    );
  const all = await api.certificateRequests.list(CLIENT_SIGNER);
  return approveSingle(
    api,
    all.filter(request => isClientRequest(request, nodeName)),
    host,
  );
}

/** Without a pending request, one that others have already decided counts as approved. */
export async function approveServingCsr(api: ApprovalApi, host: HostRef, node: KubeNode): Promise<ApprovalResult> {
  const all = await api.certificateRequests.list(SERVING_SIGNER);
  const matching = all.filter(request => isServingRequest(request, node));
  if (matching.length === 0) {
    const isDecided = all.some(({ username, isPending }) => username === `system:node:${node.name}` && !isPending);
    return { state: isDecided ? 'approved' : 'none' };
  }
  const conflicting = (await api.nodes.list()).items.filter(
    ({ uid, addresses }) => uid !== node.uid && addresses.some(address => node.addresses.includes(address)),
  );
  if (conflicting.length === 0) return approveSingle(api, matching, host);
  return refused(
    `the node shares an address with ${formatNodeNames(conflicting)}; delete the nodes that no longer exist`,
  );
}
