/** Every transport that reaches real hosts, by its name; the first is the standard. Only the names: settings are read without the rest. */
export const TRANSPORT_TYPES = ['ssh', 'openssh'] as const;

export type TransportType = (typeof TRANSPORT_TYPES)[number];
