import type { EngineSettings } from '../../engine/ports.ts';

/** So that checks never keep work waiting. */
const SHARE_OF_CHECKS = 0.5;
/** People who try new credentials are few. */
const SHARE_OF_TRIALS = 0.05;

/** One of each kind. */
export const FEWEST_CONNECTIONS = 3;

/** Who may have how many of all connections at once; together no more than there are. */
export function connectionShares(
  limit: number,
): Pick<EngineSettings, 'maxChecks' | 'maxCredentialTests' | 'maxTasks'> {
  const share = (part: number) => Math.max(1, Math.floor(limit * part));
  const [maxChecks, maxCredentialTests] = [share(SHARE_OF_CHECKS), share(SHARE_OF_TRIALS)];
  return { maxChecks, maxCredentialTests, maxTasks: limit - maxChecks - maxCredentialTests };
}
