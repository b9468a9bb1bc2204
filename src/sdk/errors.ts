import type { Problem } from '../contract/fields.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem;
  /** Seconds to wait before the request is sent again, from the header `Retry-After` of 429 and 503. */
  readonly retryAfterS: number | undefined;

  constructor(status: number, problem: Problem, retryAfterS?: number) {
    super(`${problem.detail} (${problem.code})`);
    this.name = 'ApiError';
    this.status = status;
    this.problem = problem;
    this.retryAfterS = retryAfterS;
  }
}

/** Unwraps the cause of fetch and, for a name with several addresses, the first of its errors. */
function getReason(failure: unknown): string {
  const cause = (failure instanceof Error ? failure.cause : undefined) ?? failure;
  const reason: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return reason instanceof Error ? reason.message : String(reason ?? '');
}

/** No server responds, or none within `timeoutMs`. */
export class ServiceUnreachableError extends Error {
  readonly urls: readonly string[];
  /** The error of the last server. Can be empty. */
  readonly reason: string;

  constructor(urls: readonly string[], cause: unknown) {
    const reason = getReason(cause);
    super(`cannot reach ${urls.join(' and ')}${reason === '' ? '' : `: ${reason}`}`, { cause });
    this.name = 'ServiceUnreachableError';
    this.urls = urls;
    this.reason = reason;
  }
}

/** 502 and 504 come from proxies. A retry does not help against another 5xx, such as 500. */
const RETRYABLE_STATUSES: readonly number[] = [408, 429, 502, 503, 504];

/** Whether a retry can help: no server responds, or the server is temporarily unable to respond. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof ServiceUnreachableError || (error instanceof ApiError && RETRYABLE_STATUSES.includes(error.status));

/** Whether the error concerns a single host. Other errors, such as a missing permission, would occur for every host. */
export const isSingleHostError = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 404, 409].includes(error.status);

const getField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const hasStrings = (value: unknown, ...names: readonly (keyof Problem | 'path' | 'message')[]) =>
  names.every(name => typeof getField(value, name) === 'string');

/** Checks the fields, because other programs send problem documents with other fields. */
function isProblemDocument(value: unknown): value is Problem {
  const errors = getField(value, 'errors');
  if (!hasStrings(value, 'detail', 'code', 'request_id')) return false;
  return errors === undefined || (Array.isArray(errors) && errors.every(item => hasStrings(item, 'path', 'message')));
}

export function tryParseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ResponseHead extends Pick<Response, 'status' | 'statusText'> {
  readonly headers: Pick<Headers, 'get'>;
}

/** For a response that is not from Hostler: a proxy can respond in another format. */
export const unexpectedResponse = ({ status, statusText: title }: ResponseHead, text: string): Problem => ({
  type: 'about:blank',
  title,
  status,
  code: 'unexpected_response',
  request_id: '',
  detail: text.slice(0, 500),
});

export function toProblem(response: ResponseHead, text: string): Problem {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const document = isProblem ? tryParseJson(text) : undefined;
  return isProblemDocument(document) ? document : unexpectedResponse(response, text);
}

/** Undefined without the header, and for the time that some proxies send instead of seconds. */
function getRetryAfterS({ headers }: ResponseHead): number | undefined {
  const value = headers.get('retry-after') ?? '';
  return /^\d+$/.test(value) ? Number(value) : undefined;
}

export const toApiError = (response: ResponseHead, text: string): ApiError =>
  new ApiError(response.status, toProblem(response, text), getRetryAfterS(response));
