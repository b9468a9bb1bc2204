import { createOpenSshTransport } from './openssh/openssh-transport.ts';
import { createSshTransport } from './ssh/ssh-transport.ts';
import type { Transport } from './transport.ts';

/** Every transport that reaches real hosts; the first is the standard. */
export const TRANSPORT_TYPES = ['ssh', 'openssh'] as const;

export type TransportType = (typeof TRANSPORT_TYPES)[number];

export interface TransportSettings {
  /** An ssh_config with what OpenSSH's ssh needs to get to the hosts: jump hosts, authorities of certificates. */
  readonly openSshConfig: string | undefined;
}

export const createTransports = ({
  openSshConfig,
}: TransportSettings): Readonly<Record<TransportType, Transport>> => ({
  ssh: createSshTransport(),
  openssh: createOpenSshTransport({ configFile: openSshConfig }),
});
