type Told = Pick<Headers, 'get'>;

/** The position of the log of events that a read is true for, as it says it; `undefined`: it does not. */
export const positionTold = (headers: Told): string | undefined => headers.get('hostler-event') ?? undefined;

/** The same as a number; 0, before all events, where nothing is said: then each event counts as new. */
export const positionOf = (headers: Told): number => Number(positionTold(headers) ?? 0);
