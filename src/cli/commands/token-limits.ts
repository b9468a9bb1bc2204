import type { Command } from 'commander';
import { parseDuration } from '../durations.ts';
import { readWholeNumber } from '../read-number.ts';

/** Lifetime, number of uses and network of a token. */
export interface TokenLimits {
  /** In milliseconds. */
  readonly expires?: number;
  readonly uses?: number;
  readonly cidr?: string;
}

export const withTokenLimits = (command: Command): Command =>
  command
    .option(
      '--expires <duration>',
      'Lifetime of the token, for example 2h or 7d (default: 1d)',
      parseDuration,
    )
    .option('--uses <count>', 'Number of hosts that can enrol with the token (default: 1)', readWholeNumber)
    .option(
      '--cidr <network>',
      'Network that hosts must connect from, for example 10.0.0.0/8 (default: any)',
    );

export const tokenLimits = ({ expires, uses, cidr }: TokenLimits) => ({
  ...(expires !== undefined && { expires_in_s: Math.round(expires / 1000) }),
  ...(uses !== undefined && { uses }),
  ...(cidr !== undefined && { cidr }),
});
