// The HTTP status, meaning, cause and remedy of every error code. `docs/reference/errors.md` and the page at /docs are generated from it.

import type { ErrorCode } from '../../domain/errors.ts';
import { CONFLICT_PROBLEMS } from './conflict-problems.ts';
import type { ProblemKind } from './problem-kind.ts';
import { REQUEST_PROBLEMS } from './request-problems.ts';
import { SERVICE_PROBLEMS } from './service-problems.ts';

export const PROBLEMS: Readonly<Record<ErrorCode, ProblemKind>> = {
  ...REQUEST_PROBLEMS,
  ...CONFLICT_PROBLEMS,
  ...SERVICE_PROBLEMS,
};
