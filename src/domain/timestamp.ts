/** The format of all times on the wire and in the store: UTC with microseconds, `2015-12-17T15:48:18.710454`. */
export const formatTimestamp = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, -1)}000`;

/** Returns milliseconds since 1970. */
export const parseTimestamp = (timestamp: string): number => Date.parse(`${timestamp}Z`);

const LENGTH_TO_SECONDS = '2026-11-16T12:03:05'.length;

/** For messages: `2026-11-16 12:03:05 UTC`. */
export const utcTime = (timestamp: string): string => `${timestamp.slice(0, LENGTH_TO_SECONDS).replace('T', ' ')} UTC`;
