import { describe, expect, test } from 'vitest';
import { routes } from '../../contract/index.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { isAudited } from './error-responses.ts';

describe('isAudited', () => {
  test.each<[keyof typeof routes, ErrorCode, boolean]>([
    ['putNetwork', 'forbidden', true],
    ['putNetwork', 'invalid_body', true],
    ['putNetwork', 'conflict', true],
    ['putNetwork', 'precondition_failed', true],
    ['putNetwork', 'body_too_large', true],
    ['putNetwork', 'internal_error', true],
    ['putNetwork', 'store_unavailable', false],
    ['putNetwork', 'server_busy', false],
    ['removeHost', 'not_found', true],
    ['getHostCreds', 'forbidden', true],
    ['getHostCreds', 'not_found', true],
    ['getHostCreds', 'store_unavailable', false],
    ['getHost', 'not_found', false],
    ['listHosts', 'invalid_query', false],
    ['listHosts', 'forbidden', true],
  ])('rejection of %s with %s is audited: %s', (name, code, expected) => {
    expect(isAudited(routes[name], code)).toBe(expected);
  });
});
