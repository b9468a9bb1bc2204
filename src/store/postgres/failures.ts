const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
};

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

/** Messages of the client library, which gives these failures no code. */
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** Whether the connection is lost, or of no use any more. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  // Class 08: connection exceptions; 57P01 to 57P03: shutting down, crashed, starting up; 53300: too many connections.
  if (/^(08...|57P0[123]|53300)$/.test(code) || NETWORK_CODES.has(code)) return true;
  return error instanceof Error && CONNECTION_MESSAGES.test(error.message);
}

/**
 * Whether it is PostgreSQL as a whole that failed, or the way to it, rather than a statement: also when it had others to serve
 * for longer than our limits (55P03: locks, 57014: statements).
 */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionFailure(error) || ['55P03', '57014'].includes(codeOf(error));

/** 40001: serialization failure; 40P01: deadlock. */
export const isOthersFault = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** Class 28: wrong user or password; 3D000: no such database. */
export const isRefusedByServer = (error: unknown): error is Error => /^(28...|3D000)$/.test(codeOf(error));
