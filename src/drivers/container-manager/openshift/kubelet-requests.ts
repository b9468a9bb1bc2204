// Which requests for certificates are those of one host's kubelet. Whoever gets a wrong one approved is that node to the cluster: so a
// request has to be what the kubelet asks for, to the letter, and everything else is left to people.

import type { CertificateRequest } from '../../../clients/kubernetes/certificate-requests-api.ts';
import type { KubeNode } from '../../../clients/kubernetes/kube-node.ts';
import type { RequestedCertificate } from './certificate-request.ts';
import { requestedCertificate } from './certificate-request.ts';

export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

const MACHINE_CONFIG = 'openshift-machine-config-operator';
/** Whom new hosts ask as, by what their ignition gave them. */
const BOOTSTRAPPER = `system:serviceaccount:${MACHINE_CONFIG}:node-bootstrapper`;

interface Asker {
  readonly username: string;
  readonly group: string;
  readonly usage: 'client auth' | 'server auth';
}

/** Keys that are no RSA ones cannot encipher others. */
function isUsage(usages: readonly string[], usage: Asker['usage']): boolean {
  const others = usages.filter(one => one !== 'key encipherment');
  return (
    usages.length === new Set(usages).size &&
    others.length === 2 &&
    ['digital signature', usage].every(one => others.includes(one))
  );
}

/** What is asked for, if it is pending and asked by whom it has to be. */
function askedBy(request: CertificateRequest, asker: Asker): RequestedCertificate | undefined {
  const { isPending, username, groups, usages, pem } = request;
  const isAsker = username === asker.username && groups.includes(asker.group);
  if (!isPending || !isAsker || !isUsage(usages, asker.usage)) return undefined;
  try {
    return requestedCertificate(pem);
  } catch {
    return undefined;
  }
}

const isSubject = ({ subject }: RequestedCertificate, nodeName: string): boolean =>
  subject.length === 2 &&
  subject.includes('O=system:nodes') &&
  subject.includes(`CN=system:node:${nodeName}`);

/** The wish of a host that is no node yet to become the one of this name. */
export function isClientRequest(request: CertificateRequest, nodeName: string): boolean {
  const group = `system:serviceaccounts:${MACHINE_CONFIG}`;
  const asker = { username: BOOTSTRAPPER, group, usage: 'client auth' } as const;
  const asked = request.signerName === CLIENT_SIGNER ? askedBy(request, asker) : undefined;
  if (asked === undefined || !isSubject(asked, nodeName)) return false;
  return asked.dnsNames.length === 0 && asked.addresses.length === 0;
}

/** The wish of a node to be believed under its name and all its addresses. */
export function isServingRequest(
  request: CertificateRequest,
  { name, addresses }: Pick<KubeNode, 'name' | 'addresses'>,
): boolean {
  const username = `system:node:${name}`;
  const asker = { username, group: 'system:nodes', usage: 'server auth' } as const;
  const asked = request.signerName === SERVING_SIGNER ? askedBy(request, asker) : undefined;
  if (asked === undefined || !isSubject(asked, name)) return false;
  const wanted = new Set(asked.addresses);
  return (
    asked.dnsNames.every(dnsName => dnsName === name) &&
    wanted.size === addresses.length &&
    addresses.every(address => wanted.has(address))
  );
}
