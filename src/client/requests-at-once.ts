/** As many as a service answers beside its other work. */
export const REQUESTS_AT_ONCE = 8;
