import type { HostReason } from '../vocabulary.ts';

/** In addition to `HOST_REASONS`. The first three occur only in a dry run. */
export const OPERATION_HOST_REASONS = [
  'in_maintenance',
  'bootstrap_pending',
  'unhealthy',
  'not_ready',
  'runs_hostler_server',
  'not_image_based',
  'invalid_version',
  'not_staged',
  'disruption_not_allowed',
  'draining',
  'drain_refused',
  'reboot_cancelled',
  'reboot_failed',
  'not_cleared',
  'not_stable',
  'reboot_not_started',
  'not_rebooted',
  'waiting_for_shutdown',
  'still_booting',
  'not_applied',
  'waiting_for_boot',
  'rolled_back',
  'restored',
  'check_failed',
] as const;

/** Such as `not_root: a password is required`. */
export type ReasonText = `${HostReason | (typeof OPERATION_HOST_REASONS)[number]}: ${string}`;
