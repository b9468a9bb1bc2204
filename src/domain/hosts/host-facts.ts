export interface HostFacts {
  readonly hostname: string;
  readonly bootId: string;
  readonly os: string;
  /** `''`: no OS driver supports the host. */
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

/** Linux and DNS have different limits. */
export const isHostname = (text: string, maxLength: number): boolean =>
  text.length <= maxLength && text.split('.').every(label => LABEL.test(label));

export const UNKNOWN_FACTS: HostFacts = {
  hostname: '',
  bootId: '',
  os: '',
  osDriver: '',
  cpus: 0,
  memoryKib: 0,
  spaceKib: 0,
};

export interface Liveness {
  readonly bootId: string;
}

export type OverridableFacts = Pick<HostFacts, 'os' | 'cpus' | 'memoryKib' | 'spaceKib' | 'hostname'>;

/** The source could read other hosts, but not this one. */
export interface SourceReadError {
  readonly readError: string;
}

/** Missing facts are not known to the source. */
export interface SourceFacts extends Partial<OverridableFacts> {
  /** As reported by the source: `Ready: True`. */
  readonly conditions?: Readonly<Record<string, string>>;
}

export const effectiveFacts = (own: OverridableFacts, fromSource: SourceFacts | null): OverridableFacts => ({
  os: fromSource?.os ?? own.os,
  cpus: fromSource?.cpus ?? own.cpus,
  memoryKib: fromSource?.memoryKib ?? own.memoryKib,
  spaceKib: fromSource?.spaceKib ?? own.spaceKib,
  hostname: fromSource?.hostname ?? own.hostname,
});
