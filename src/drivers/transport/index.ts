import { CpuThrottle } from '../../lib/concurrency.ts';
import { createOpenSshTransport } from './openssh/openssh-transport.ts';
import { createSshTransport } from './ssh/ssh-transport.ts';
import type { Transport, TransportType } from './transport.ts';

export interface TransportSettings {
  /** An ssh_config with what OpenSSH's ssh needs to get to the hosts: jump hosts, authorities of certificates. */
  readonly openSshConfig: string | undefined;
  /** Where OpenSSH's ssh has its sockets; left out: where temporary files are. */
  readonly tempFolder?: string;
}

export function createTransports({
  openSshConfig,
  ...others
}: TransportSettings): Readonly<Record<TransportType, Transport>> {
  const turns = new CpuThrottle();
  return {
    ssh: createSshTransport({ turns }),
    openssh: createOpenSshTransport({ configFile: openSshConfig, turns, ...others }),
  };
}
