import { isByDigest } from '../image-reference.ts';
import type { Deployment } from '../os-driver.ts';

export interface DeployTarget {
  /** A revision is found in what the host follows already; a reference is what it shall follow from now on. */
  readonly kind: 'revision' | 'reference';
  readonly value: string;
}

const isText = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._:/@+~=-]{0,511}$/.test(text);

/** What rpm-ostree is told for what people write: a version, a commit, a digest, an image or a branch of OSTree. */
export function parseTarget(text: string): DeployTarget | undefined {
  if (!isText(text)) return undefined;
  if (/^[0-9a-f]{64}$/.test(text)) return { kind: 'revision', value: `revision=${text}` };
  if (/^sha256:[0-9a-f]{64}$/.test(text)) return { kind: 'revision', value: text };
  // Whole references say themselves whether a signature must be there.
  if (/^ostree-[a-z-]+:/.test(text)) return { kind: 'reference', value: text };
  if (text.startsWith('docker://')) return { kind: 'reference', value: `ostree-unverified-image:${text}` };
  // REMOTE:BRANCH; what looks the same but is a registry has a port there.
  if (/^[A-Za-z0-9._-]+:(?![0-9]+\/)[^:]*\/[^:]*$/.test(text)) return { kind: 'reference', value: text };
  if (text.includes('/')) return { kind: 'reference', value: `ostree-unverified-registry:${text}` };
  return text.includes(':') || text.includes('@')
    ? undefined
    : { kind: 'revision', value: `version=${text}` };
}

/** Whether the deployment is certainly the target. What a branch or a tag points to is not. */
export function isDeployed({ kind, value }: DeployTarget, deployment: Deployment): boolean {
  if (kind === 'reference') return isByDigest(value, deployment);
  const { version, checksum } = deployment;
  return [`version=${version}`, `revision=${checksum}`, checksum].includes(value);
}
