import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Transport } from './transport.ts';

/** Reaches each host by the transport that it asks for, or else by the standard one. */
export const chosenTransport = (
  transports: Readonly<Record<string, Transport>>,
  standard: string,
): Transport => ({
  async connect(target, limits) {
    const type = target.transport || standard;
    // A record may be older than this version of the service, or younger.
    const transport = Object.hasOwn(transports, type) ? transports[type] : undefined;
    return (
      transport?.connect(target, limits) ??
      new TransportFailure('unreachable', `this server does not have the transport ${type}`)
    );
  },
});
