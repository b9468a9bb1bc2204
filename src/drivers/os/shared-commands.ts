import type { Argv, HostQuery } from '../../domain/command.ts';
import type { Deployment, Deployments } from './os-driver.ts';

/** Rejects names that look like options, because not every tool supports `--` (dnf5 rejects it). */
export function installCommands(
  packages: readonly string[],
  ...commands: readonly Argv[]
): readonly Argv[] | undefined {
  if (packages.length === 0) return [];
  return packages.some(name => name.startsWith('-')) ? undefined : commands;
}

/** An image-based system has updates, and needs a reboot, while a deployment is staged. */
export const hasStagedDeployment = (deployments: HostQuery<Deployments>): HostQuery<boolean> => ({
  argv: deployments.argv,
  parse: result => {
    const found = deployments.parse(result);
    return found && found.staged !== undefined;
  },
});

// OSTree applies a staged deployment during any shutdown unless its finalization is locked. The lock has two forms: a
// command of ostree since 2023.8, and a file that rpm-ostree wrote until 2024.6. The command ignores the file and
// succeeds, so the unlock script removes both.

const LOCK = `[ -e /run/ostree/staged-deployment ] || exit 0
exec ostree admin lock-finalization`;

const UNLOCK = `[ -e /run/ostree/staged-deployment ] || exit 0
ostree admin lock-finalization --unlock || [ -e /run/ostree/staged-deployment-locked ] || exit 1
exec rm -f /run/ostree/staged-deployment-locked`;

export const LOCK_STAGED: Argv = ['sh', '-c', LOCK];
export const UNLOCK_STAGED: Argv = ['sh', '-c', UNLOCK];

/** Transport and signature verification in an OSTree image reference. */
const REFERENCE_SCHEME = /^(?:ostree-remote-(?:image|registry):[^:]+:|ostree-[a-z-]+:)?(?:docker:\/\/|registry:)?/;

/** Image without tag and digest. A colon that is followed by a slash starts a port. */
const imageName = (reference: string): string =>
  reference
    .replace(REFERENCE_SCHEME, '')
    .replace(/@.*$/, '')
    .replace(/:[^/:]*$/, '');

/** Whether the reference has a digest, and the deployment is this image with this digest. */
export function matchesDigest(reference: string, { image, checksum }: Deployment): boolean {
  const [, digest] = /@(sha256:[0-9a-f]{64})$/.exec(reference) ?? [];
  return digest !== undefined && digest === checksum && imageName(reference) === imageName(image);
}
