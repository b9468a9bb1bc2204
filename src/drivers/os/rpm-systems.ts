import type { SystemTraits } from './os-driver.ts';

/** The systems whose packages are RPMs from repositories of dnf or yum; each is its own `os`. */
export const RPM_SYSTEMS: readonly string[] = ['fedora', 'centos', 'rhel', 'rocky', 'almalinux'];

/** By what it says of itself alone: it is one also where it was not booted from an OSTree. */
export const isFedoraCoreos = (id: string, { variantId }: SystemTraits): boolean =>
  id === 'fedora' && variantId === 'coreos';

/** The `os` of a system that is upgraded by its packages, and not as a whole. */
export const rpmSystem = (id: string, traits: SystemTraits): string | undefined =>
  RPM_SYSTEMS.includes(id) && !traits.isOstree && !isFedoraCoreos(id, traits) ? id : undefined;

/** bootc refuses what rpm-ostree has layered something on; such a host stays with rpm-ostree. */
export const isForBootc = (id: string, traits: SystemTraits): boolean =>
  traits.isOstree &&
  traits.isContainerImage &&
  !traits.isLayered &&
  traits.tools.has('bootc') &&
  !isFedoraCoreos(id, traits);
