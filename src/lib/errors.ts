/** What went wrong, in words, whatever was thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** A problem that whoever runs the service can mend: it is told in its own words, without a stack. */
export class OperatorError extends Error {}

/** One that stays as it is until a person mends it: to try again, or to start again, does not help. */
export class PermanentError extends OperatorError {}

/** The code of what was thrown, such as `ENOENT`; empty where it has none. */
export function errorCode(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}

/** Why something failed, as short as it is known: its code, or what it says where it has none. */
export const errorCodeOrMessage = (error: unknown): string => errorCode(error) || errorMessage(error);
