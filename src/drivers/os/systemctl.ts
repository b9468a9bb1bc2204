import type { Argv } from '../../domain/command.ts';

/** Every system that a driver knows runs systemd. */
export const enableServices = (services: readonly string[]): readonly Argv[] =>
  services.length === 0 ? [] : [['systemctl', 'enable', '--now', '--', ...services]];
