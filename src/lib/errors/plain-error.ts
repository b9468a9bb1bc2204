/** A problem that whoever runs the service can mend: it is told in its own words, without a stack. */
export class PlainError extends Error {}
