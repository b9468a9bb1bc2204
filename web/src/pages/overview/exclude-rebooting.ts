/** The first word of a reason says why a host does not answer; docs/reference/host-reasons.md has all of them. */
const reasonCode = (reason: string) => reason.split(':', 1)[0];

/** Without those that an operation has reboot: they come back by themselves, or the operation tells of it. */
export const excludeRebooting = <Host extends { readonly reason?: string }>(
  hosts: readonly Host[],
): readonly Host[] => hosts.filter(({ reason = '' }) => reasonCode(reason) !== 'rebooting');
