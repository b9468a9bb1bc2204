import type { HostFacts } from './host-facts.ts';

/** The facts that a host source may tell, and that are shown in the place of the host's own. */
export type ToldFacts = Pick<HostFacts, 'os' | 'cpus' | 'memoryKib' | 'spaceKib' | 'hostname'>;

/** Why nothing could be read of one host, while others could. */
export interface Unread {
  readonly unread: string;
}

/** What a host source tells of a host; what it does not tell is missing. */
export interface SourceFacts extends Partial<ToldFacts> {
  /** How the host is, as the source says it: `Ready: True`. */
  readonly conditions?: Readonly<Record<string, string>>;
}

/** What is shown of a host: what its source tells, and for the rest what it says of itself. */
export const shownFacts = (own: ToldFacts, told: SourceFacts | null): ToldFacts => ({
  os: told?.os ?? own.os,
  cpus: told?.cpus ?? own.cpus,
  memoryKib: told?.memoryKib ?? own.memoryKib,
  spaceKib: told?.spaceKib ?? own.spaceKib,
  hostname: told?.hostname ?? own.hostname,
});
