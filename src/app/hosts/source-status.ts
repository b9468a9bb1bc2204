import type { Host } from '../../domain/hosts/host.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Ports } from '../ports.ts';

/** How it stands with the source that the facts of a host come from. */
export interface SourceStatus {
  readonly name: string;
  /** When it told last, and how long ago that is; null: never. */
  readonly told: { readonly at: string; readonly ageS: number } | null;
  /** Whether it knew the host then. */
  readonly isKnown: boolean;
  /** Why it does not tell now. */
  readonly problem: string | undefined;
  readonly conditions: Readonly<Record<string, string>> | undefined;
}

/** `undefined` for a host without one. */
export async function sourceStatusOf(
  { store: { reads }, hostSources }: Pick<Ports, 'store' | 'hostSources'>,
  { address, source: name, sourceFacts }: Pick<Host, 'address' | 'source' | 'sourceFacts'>,
): Promise<SourceStatus | undefined> {
  if (name === '') return undefined;
  const toldAt = await reads.toldHosts.toldAt(address);
  const now = await reads.nowMs();
  const problem = hostSources.has(name)
    ? (await reads.sourceReads.get(name))?.problem || undefined
    : `the host source ${name} is not configured on this server`;
  return {
    name,
    told:
      toldAt === null
        ? null
        : { at: formatTimestamp(toldAt), ageS: Math.max(0, Math.floor((now - toldAt) / 1000)) },
    isKnown: sourceFacts !== null,
    problem,
    conditions: sourceFacts?.conditions,
  };
}
