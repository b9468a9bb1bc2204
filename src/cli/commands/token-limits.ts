import type { Command } from 'commander';
import { parseDuration } from '../durations.ts';
import { readWholeNumber } from '../read-number.ts';

/** For how long, how many and from where a token is good. */
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
      'for how long the token is good, such as 2h or 7d; else a day',
      parseDuration,
    )
    .option('--uses <count>', 'how many hosts may enrol by it; else one', readWholeNumber)
    .option('--cidr <network>', 'the network that hosts must call from, such as 10.0.0.0/8');

export const tokenLimits = ({ expires, uses, cidr }: TokenLimits) => ({
  ...(expires !== undefined && { expires_in_s: Math.round(expires / 1000) }),
  ...(uses !== undefined && { uses }),
  ...(cidr !== undefined && { cidr }),
});
