import type { Qualified } from './api-error.ts';
import { ApiError, qualifiedName } from './api-error.ts';
import type { Json } from './objects.ts';

/** What is wrong with one field. */
export interface FieldError {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

const withDetail = (start: string, detail: string) => (detail === '' ? start : `${start}: ${detail}`);

export const invalidValue = (field: string, value: Json, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${JSON.stringify(value)}: ${detail}`,
});

export const missingValue = (field: string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  field,
  message: withDetail('Required value', detail),
});

export const forbiddenValue = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${detail}`,
});

export const unsupportedValue = (field: string, value: Json, supported: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map(one => JSON.stringify(one)).join(', ')}`,
});

/** The error for all of them; there is at least one. */
export function invalid(kind: Qualified, name: string, errors: readonly FieldError[]): ApiError {
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  const all = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `${qualifiedName(kind)} ${JSON.stringify(name)} is invalid: ${all}`,
    details: {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.name,
      causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
    },
  });
}
