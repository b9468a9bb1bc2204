import type { Argv, HostQuery } from '../../domain/command.ts';
import type { Deployment, Deployments } from './os-driver.ts';

/**
 * Nothing asked is nothing to do. A name that a tool would take for an option is none that can be installed: not every tool has a
 * `--` (dnf5 refuses it, dnf 4 reads options after it all the same).
 */
export function installCommands(
  packages: readonly string[],
  ...commands: readonly Argv[]
): readonly Argv[] | undefined {
  if (packages.length === 0) return [];
  return packages.some(name => name.startsWith('-')) ? undefined : commands;
}

/** Every system that a driver knows runs systemd. */
export const enableServices = (services: readonly string[]): readonly Argv[] =>
  services.length === 0 ? [] : [['systemctl', 'enable', '--now', '--', ...services]];

/** A system that is upgraded as a whole has something to apply, and needs a reboot for it, while something is staged. */
export const hasStagedDeployment = (deployments: HostQuery<Deployments>): HostQuery<boolean> => ({
  argv: deployments.argv,
  parse: result => {
    const found = deployments.parse(result);
    return found && found.staged !== undefined;
  },
});

// A staged deployment of an OSTree is applied on the way down, whoever asks for the reboot, unless its finalization is locked.
// Nothing staged is nothing to do. The lock has two forms: ostree has had the command since 2023.8; before that it was a file, and
// rpm-ostree went on to write that one until 2024.6. The command does not see the file, and succeeds. So both are taken away.

const LOCK = `[ -e /run/ostree/staged-deployment ] || exit 0
exec ostree admin lock-finalization`;

const UNLOCK = `[ -e /run/ostree/staged-deployment ] || exit 0
ostree admin lock-finalization --unlock || [ -e /run/ostree/staged-deployment-locked ] || exit 1
exec rm -f /run/ostree/staged-deployment-locked`;

export const LOCK_STAGED: Argv = ['sh', '-c', LOCK];
export const UNLOCK_STAGED: Argv = ['sh', '-c', UNLOCK];

/** How OSTree is told where an image comes from, and whether its signature counts. */
const REFERENCE_SCHEME =
  /^(?:ostree-remote-(?:image|registry):[^:]+:|ostree-[a-z-]+:)?(?:docker:\/\/|registry:)?/;

/** The image without its tag and digest. What has a slash behind the colon is a port. */
const imageName = (reference: string): string =>
  reference
    .replace(REFERENCE_SCHEME, '')
    .replace(/@.*$/, '')
    .replace(/:[^/:]*$/, '');

/** Whether the reference has a digest, and the deployment is that image with that digest. */
export function matchesDigest(reference: string, { image, checksum }: Deployment): boolean {
  const [, digest] = /@(sha256:[0-9a-f]{64})$/.exec(reference) ?? [];
  return digest !== undefined && digest === checksum && imageName(reference) === imageName(image);
}
