// Problem documents (RFC 9457), the format of every error response.

import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../contract/problem.ts';
import type { AppError, ErrorCode } from '../../domain/errors.ts';
import { PROBLEMS } from './problem-kinds.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export const statusOf = (code: ErrorCode): number => PROBLEMS[code].status;

export const problemOf = (
  { code, detail, errors }: AppError,
  status: number,
  requestId: string,
): Problem => ({
  type: `/docs#${code}`,
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
  code,
  request_id: requestId,
  ...(errors.length > 0 && { errors: [...errors] }),
});
