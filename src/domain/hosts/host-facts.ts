/** What a host says of itself when it is asked for its facts. */
export interface HostFacts {
  readonly hostname: string;
  /** New at every boot. */
  readonly bootId: string;
  readonly os: string;
  /** The type of the OS driver that knows how to handle it; `''` when none does. */
  readonly osDriver: string;
  readonly cpus: number;
  readonly memoryKib: number;
  readonly spaceKib: number;
}

/** More than Linux can be built for. */
export const MAX_CPUS = 65_536;
/** An exbibyte: no host has it, and a sum of some is still an exact number. */
export const MAX_KIB = 2 ** 50;

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;

/** Whether it can be the name of a host. `longest`: in characters; Linux and the DNS do not agree. */
export const isHostname = (text: string, maxLength: number): boolean =>
  text.length <= maxLength && text.split('.').every(label => LABEL.test(label));

/** What is known of a host before it was asked. */
export const UNKNOWN_FACTS: HostFacts = {
  hostname: '',
  bootId: '',
  os: '',
  osDriver: '',
  cpus: 0,
  memoryKib: 0,
  spaceKib: 0,
};

/** The little that a check asks for. */
export interface Liveness {
  readonly bootId: string;
}

/** The facts that a host source may tell, and that are shown in the place of the host's own. */
export type OverridableFacts = Pick<HostFacts, 'os' | 'cpus' | 'memoryKib' | 'spaceKib' | 'hostname'>;

/** Why nothing could be read of one host, while others could. */
export interface SourceReadError {
  readonly readError: string;
}

/** What a host source tells of a host; what it does not tell is missing. */
export interface SourceFacts extends Partial<OverridableFacts> {
  /** How the host is, as the source says it: `Ready: True`. */
  readonly conditions?: Readonly<Record<string, string>>;
}

/** What is shown of a host: what its source tells, and for the rest what it says of itself. */
export const effectiveFacts = (own: OverridableFacts, fromSource: SourceFacts | null): OverridableFacts => ({
  os: fromSource?.os ?? own.os,
  cpus: fromSource?.cpus ?? own.cpus,
  memoryKib: fromSource?.memoryKib ?? own.memoryKib,
  spaceKib: fromSource?.spaceKib ?? own.spaceKib,
  hostname: fromSource?.hostname ?? own.hostname,
});
