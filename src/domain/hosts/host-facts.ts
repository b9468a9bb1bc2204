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
