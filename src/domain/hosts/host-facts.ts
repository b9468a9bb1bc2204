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
export const MOST_CPUS = 65_536;
/** An exbibyte: no host has it, and a sum of some is still an exact number. */
export const MOST_KIB = 2 ** 50;

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;

/** Whether it can be the name of a host. `longest`: in characters; Linux and the DNS do not agree. */
export const isHostname = (text: string, longest: number): boolean =>
  text.length <= longest && text.split('.').every(label => LABEL.test(label));

/** What is known of a host before it was asked. */
export const NO_FACTS: HostFacts = {
  hostname: '',
  bootId: '',
  os: '',
  osDriver: '',
  cpus: 0,
  memoryKib: 0,
  spaceKib: 0,
};

/** The little that a check asks for. */
export interface Pulse {
  readonly bootId: string;
}
