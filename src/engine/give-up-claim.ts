import { isBootstrapped } from '../domain/hosts/host-status.ts';
import type { Claim, Release } from '../domain/work/agenda.ts';
import type { HostChange } from './change-host.ts';
import type { EnginePorts } from './ports.ts';

/** Lets others have the host. One that is not watched is not checked; one that is gone, with all its work, is forgotten. */
export async function giveUpClaim(
  { settings }: Pick<EnginePorts, 'settings'>,
  { records, host, nowMs }: Pick<HostChange, 'records' | 'host' | 'nowMs'>,
  claim: Claim,
  release: Release,
): Promise<void> {
  if (host === undefined && (await records.work.earliestDue(claim.host)) === null) {
    await records.agenda.remove(claim.host);
    return;
  }
  const check = host && isBootstrapped(host.status) ? release.check : 'unwatched';
  await records.claims.release(claim.host, { ...release, check }, nowMs, settings.checkIntervalMs);
}
