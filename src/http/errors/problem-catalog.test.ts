import { describe, expect, test } from 'vitest';
import { AppError, ERROR_CODES } from '../../domain/errors.ts';
import { PROBLEM_CATALOG, toHttpStatus, toProblem } from './problem-catalog.ts';

describe('PROBLEM_CATALOG', () => {
  test('contains every error code exactly once', () => {
    expect(Object.keys(PROBLEM_CATALOG).sort()).toEqual([...ERROR_CODES].sort());
    expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
  });

  test.each(ERROR_CODES)('%s has a snake_case code, an error status, and full sentences as texts', code => {
    const { status, docs, ...texts } = PROBLEM_CATALOG[code];
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(Number.isInteger(status) && status >= 400 && status < 600).toBe(true);
    expect(docs ?? 'admin/none.md').toMatch(/^(?:admin|guides)\/[a-z-]+\.md(#[a-z-]+)?$/);
    for (const text of Object.values(texts)) expect(text).toMatch(/^[A-Z`].*\.$/);
  });

  test.each([
    ['invalid_private_key', 400],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['method_not_allowed', 405],
    ['members_changed', 409],
    ['host_not_ready', 409],
    ['unknown_network', 409],
    ['in_use', 409],
    ['precondition_failed', 412],
    ['body_too_large', 413],
    ['unsupported_media_type', 415],
    ['too_many_failed_logins', 429],
    ['store_unavailable', 503],
  ] as const)('%s has status %d', (code, status) => {
    expect(toHttpStatus(code)).toBe(status);
  });
});

describe('toProblem', () => {
  test('contains the code, detail and request ID', () => {
    expect(toProblem(new AppError('in_use', 'cluster a uses it'), 409, 'r-1')).toEqual({
      type: '/docs#in_use',
      title: 'Conflict',
      status: 409,
      detail: 'cluster a uses it',
      code: 'in_use',
      request_id: 'r-1',
    });
  });

  test('contains all field errors', () => {
    const errors = [{ path: '/a', message: 'is required' }];
    expect(toProblem(new AppError('invalid_body', 'a is required', { errors }), 400, 'r-1').errors).toEqual(errors);
  });

  test('uses the given status, which differs for Commissaire clients', () => {
    expect(toProblem(new AppError('unauthorized', 'no'), 403, 'r-1')).toMatchObject({
      status: 403,
      title: 'Forbidden',
    });
  });
});
