/** Facts read from the host itself. */
export interface HostFacts {
  readonly hostname: string;
  /** Changes with every boot. */
  readonly bootId: string;
  readonly os: string;
  /** The type of the OS driver that supports the host; `''`: none. */
  readonly osDriver: string;
  readonly cpus: number;
  readonly memoryKib: number;
  readonly spaceKib: number;
}

/** More CPUs than Linux supports. */
export const MAX_CPUS = 65_536;
/** One exbibyte: more than any host has, and small enough that sums are exact numbers. */
export const MAX_KIB = 2 ** 50;

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;

/** `maxLength` is in characters; Linux and DNS have different limits. */
export const isHostname = (text: string, maxLength: number): boolean =>
  text.length <= maxLength && text.split('.').every(label => LABEL.test(label));

/** The facts of a host before the first contact. */
export const UNKNOWN_FACTS: HostFacts = {
  hostname: '',
  bootId: '',
  os: '',
  osDriver: '',
  cpus: 0,
  memoryKib: 0,
  spaceKib: 0,
};

/** The result of a health check. */
export interface Liveness {
  readonly bootId: string;
}

/** Facts that a host source can override. */
export type OverridableFacts = Pick<HostFacts, 'os' | 'cpus' | 'memoryKib' | 'spaceKib' | 'hostname'>;

/** The source could not read this host, although it could read others. */
export interface SourceReadError {
  readonly readError: string;
}

/** Missing facts are not known to the source. */
export interface SourceFacts extends Partial<OverridableFacts> {
  /** Conditions as reported by the source: `Ready: True`. */
  readonly conditions?: Readonly<Record<string, string>>;
}

/** The facts shown to users: those of the source, or else of the host. */
export const effectiveFacts = (own: OverridableFacts, fromSource: SourceFacts | null): OverridableFacts => ({
  os: fromSource?.os ?? own.os,
  cpus: fromSource?.cpus ?? own.cpus,
  memoryKib: fromSource?.memoryKib ?? own.memoryKib,
  spaceKib: fromSource?.spaceKib ?? own.spaceKib,
  hostname: fromSource?.hostname ?? own.hostname,
});
