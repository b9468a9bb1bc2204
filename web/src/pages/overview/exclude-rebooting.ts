/** First word of a reason, see docs/reference/host-reasons.md. */
const reasonCode = (reason: string) => reason.split(':', 1)[0];

/** Drops hosts that an operation is rebooting. They recover, or the operation reports a failure. */
export const excludeRebooting = <Host extends { readonly reason?: string }>(hosts: readonly Host[]): readonly Host[] =>
  hosts.filter(({ reason = '' }) => reasonCode(reason) !== 'rebooting');
