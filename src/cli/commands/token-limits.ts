import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { duration } from '../../client/times.ts';
import { TOKEN_LIFETIME_S } from '../../domain/defaults.ts';
import { parseDuration } from '../durations.ts';
import { readCount } from '../read-number.ts';

/** Lifetime, number of uses and network of a token. */
export interface TokenLimits {
  /** In milliseconds. */
  readonly expires?: number;
  readonly uses?: number;
  readonly cidr?: string;
}

/** In milliseconds. */
function parseLifetime(text: string): number {
  const ms = parseDuration(text);
  const [min, max] = [TOKEN_LIFETIME_S.min * 1000, TOKEN_LIFETIME_S.max * 1000];
  if (ms < min || ms > max)
    throw new InvalidArgumentError(`It must be from ${duration(min)} to ${duration(max)}.`);
  return ms;
}

export const withTokenLimits = (command: Command): Command =>
  command
    .option(
      '--expires <duration>',
      'Lifetime of the token, for example 2h or 7d (default: 1d)',
      parseLifetime,
    )
    .option('--uses <count>', 'Number of hosts that can enrol with the token (default: 1)', readCount)
    .option(
      '--cidr <network>',
      'Network that hosts must connect from, for example 10.0.0.0/8 (default: any)',
    );

export const tokenLimits = ({ expires, uses, cidr }: TokenLimits) => ({
  ...(expires !== undefined && { expires_in_s: Math.round(expires / 1000) }),
  ...(uses !== undefined && { uses }),
  ...(cidr !== undefined && { cidr }),
});
