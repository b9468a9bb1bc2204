export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A problem that the operator of the service can fix. Only the message is shown, without a stack. */
export class OperatorError extends Error {}

/** A retry or restart does not help until a person fixes the cause. */
export class PermanentError extends OperatorError {}

/** Returns the code, such as `ENOENT`, or an empty string. */
export function errorCode(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}

export const errorCodeOrMessage = (error: unknown): string => errorCode(error) || errorMessage(error);

export function tryOr<Result>(fallback: Result, action: () => Result): Result {
  try {
    return action();
  } catch {
    return fallback;
  }
}
