import { createOpenSshTransport } from './openssh/openssh-transport.ts';
import { createSshTransport } from './ssh/ssh-transport.ts';
import type { Transport } from './transport.ts';
import type { TransportType } from './transport-types.ts';

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
