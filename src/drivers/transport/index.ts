import { TransportFailure } from '../../domain/transport-failure.ts';
import { CpuThrottle } from '../../lib/concurrency.ts';
import { createOpenSshTransport } from './openssh/openssh-transport.ts';
import { createSshTransport } from './ssh/ssh-transport.ts';
import type { Transport, TransportType } from './transport.ts';

interface TransportSettings {
  /** ssh_config for the OpenSSH client: jump hosts, certificate authorities. */
  readonly configFile: string | undefined;
  readonly tempFolder: string;
}

export function createTransports(settings: TransportSettings): Readonly<Record<TransportType, Transport>> {
  const throttle = new CpuThrottle();
  return { ssh: createSshTransport({ throttle }), openssh: createOpenSshTransport({ ...settings, throttle }) };
}

export const dispatchTransport = (transports: Readonly<Record<string, Transport>>, defaultType: string): Transport => ({
  async connect(target, limits) {
    const type = target.transport || defaultType;
    // A record can be from another version of the server and name an unknown transport.
    const transport = Object.hasOwn(transports, type) ? transports[type] : undefined;
    return (
      transport?.connect(target, limits) ??
      new TransportFailure('unreachable', `this server does not have the transport ${type}`)
    );
  },
});
