// Types and summaries of the transports for real hosts, without their code, so that the settings can be read without loading it.

/** The first type is the default. */
export const TRANSPORT_TYPES = ['ssh', 'openssh'] as const;

export type TransportType = (typeof TRANSPORT_TYPES)[number];

const SUMMARIES: Readonly<Record<TransportType, string>> = {
  ssh: 'SSH client that is built into Hostler',
  openssh: 'OpenSSH: the program ssh on the server machine',
};

export interface KnownTransport {
  readonly type: string;
  readonly summary: string;
}

export const KNOWN_TRANSPORTS: readonly KnownTransport[] = TRANSPORT_TYPES.map(type => ({
  type,
  summary: SUMMARIES[type],
}));
