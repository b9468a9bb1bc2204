import { CpuThrottle } from '../../lib/concurrency.ts';
import { createOpenSshTransport } from './openssh/openssh-transport.ts';
import { createSshTransport } from './ssh/ssh-transport.ts';
import type { Transport, TransportType } from './transport.ts';

export interface TransportSettings {
  /** ssh_config for the OpenSSH client: jump hosts, certificate authorities. */
  readonly openSshConfig: string | undefined;
  /** Directory for the sockets of the OpenSSH client. Default: the temporary directory of the system. */
  readonly tempFolder?: string;
}

export function createTransports({
  openSshConfig,
  ...others
}: TransportSettings): Readonly<Record<TransportType, Transport>> {
  const throttle = new CpuThrottle();
  return {
    ssh: createSshTransport({ throttle }),
    openssh: createOpenSshTransport({ configFile: openSshConfig, throttle, ...others }),
  };
}
