import type { Deployment } from './os-driver.ts';

/** How OSTree is told where an image comes from, and whether its signature counts. */
const SCHEME = /^(?:ostree-remote-(?:image|registry):[^:]+:|ostree-[a-z-]+:)?(?:docker:\/\/|registry:)?/;

/** The image without its tag and digest. What has a slash behind the colon is a port. */
const nameOf = (reference: string): string =>
  reference
    .replace(SCHEME, '')
    .replace(/@.*$/, '')
    .replace(/:[^/:]*$/, '');

/** Whether the reference has a digest, and the deployment is that image with that digest. */
export function isByDigest(reference: string, { image, checksum }: Deployment): boolean {
  const [, digest] = /@(sha256:[0-9a-f]{64})$/.exec(reference) ?? [];
  return digest !== undefined && digest === checksum && nameOf(reference) === nameOf(image);
}
