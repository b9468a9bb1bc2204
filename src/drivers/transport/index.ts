import { createSshTransport } from './ssh/ssh-transport.ts';
import type { Transport } from './transport.ts';

/** Every transport that reaches real hosts. The first is the one for hosts that ask for none. */
export const TRANSPORT_TYPES = ['ssh'] as const;

export type TransportType = (typeof TRANSPORT_TYPES)[number];

export const createTransports = (): Readonly<Record<TransportType, Transport>> => ({
  ssh: createSshTransport(),
});
