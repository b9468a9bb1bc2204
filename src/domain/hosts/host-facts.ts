/** Empty texts and zeros are unknown. */
export interface HostProperties {
  readonly hostname: string;
  readonly bootId: string;
  readonly os: string;
  /** `''`: no OS driver supports the host. */
  readonly osDriver: string;
  /** As the OS names itself: `Debian GNU/Linux 12 (bookworm)`. */
  readonly osVersion: string;
  readonly kernel: string;
  /** As `uname -m` prints it: `x86_64`. */
  readonly architecture: string;
  readonly cpus: number;
  readonly memoryKib: number;
  readonly spaceKib: number;
}

export interface HostFacts extends HostProperties {
  readonly uptimeS: number;
}

/** More CPUs than Linux supports. */
export const MAX_CPUS = 65_536;
/** One exbibyte: more than any host has, and small enough that sums are exact numbers. */
export const MAX_KIB = 2 ** 50;

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;

/** Linux and DNS have different limits. */
export const isHostname = (text: string, maxLength: number): boolean =>
  text.length <= maxLength && text.split('.').every(label => LABEL.test(label));

export const UNKNOWN_PROPERTIES: HostProperties = {
  hostname: '',
  bootId: '',
  os: '',
  osDriver: '',
  osVersion: '',
  kernel: '',
  architecture: '',
  cpus: 0,
  memoryKib: 0,
  spaceKib: 0,
};

export interface Liveness {
  readonly bootId: string;
}

export type OverridableFacts = Pick<HostProperties, 'os' | 'cpus' | 'memoryKib' | 'spaceKib' | 'hostname'>;

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
