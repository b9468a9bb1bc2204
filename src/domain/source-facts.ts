import type { HostFacts } from './host-facts.ts';

/** What a host source tells of a host; what it does not tell is missing. */
export interface SourceFacts
  extends Partial<Pick<HostFacts, 'os' | 'cpus' | 'memoryKib' | 'spaceKib' | 'hostname'>> {
  /** How the host is, as the source says it: `Ready: True`. */
  readonly conditions?: Readonly<Record<string, string>>;
}
