// Error responses with the exact texts of kube-apiserver: apimachinery/pkg/api/errors.

import type { Fields, Json } from './objects.ts';

export interface ErrorDetails extends Fields {
  name?: string;
  group?: string;
  /** A resource or a kind: the API uses the field for both. */
  kind?: string;
  uid?: string;
  causes?: Fields[];
  retryAfterSeconds?: number;
}

interface ErrorFields {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: ErrorDetails;
  /** Continue token for an expired list. */
  readonly continueToken?: string;
}

export class ApiError extends Error {
  readonly code: number;
  readonly #fields: ErrorFields;

  constructor(fields: ErrorFields) {
    super(fields.message);
    this.code = fields.code;
    this.#fields = fields;
  }

  get retryAfterSeconds(): number {
    return this.#fields.details?.retryAfterSeconds ?? 0;
  }

  get status(): Fields {
    const { code, reason, message, details, continueToken } = this.#fields;
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: continueToken === undefined ? {} : { continue: continueToken },
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }
}

export interface QualifiedName {
  readonly group: string;
  readonly name: string;
}

const qualifiedName = ({ group, name }: QualifiedName) => (group === '' ? name : `${name}.${group}`);

const createDetails = ({ group, name: kind }: QualifiedName, name: string): ErrorDetails => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind,
});

export const badRequest = (message: string) => new ApiError({ code: 400, reason: 'BadRequest', message });

export const unauthorized = () => new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

export function forbidden(resource: QualifiedName, name: string, cause: string): ApiError {
  const resourceText = qualifiedName(resource) + (name === '' ? '' : ` ${JSON.stringify(name)}`);
  const message = resource.name === '' ? `forbidden: ${cause}` : `${resourceText} is forbidden: ${cause}`;
  const details = resource.name === '' ? {} : createDetails(resource, name);
  return new ApiError({ code: 403, reason: 'Forbidden', message, details });
}

export const notFound = (resource: QualifiedName, name: string) =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: `${qualifiedName(resource)} ${JSON.stringify(name)} not found`,
    details: createDetails(resource, name),
  });

export const alreadyExists = (resource: QualifiedName, name: string, isBeingDeleted: boolean) =>
  new ApiError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${isBeingDeleted ? 'object is being deleted: ' : ''}${qualifiedName(resource)} ${JSON.stringify(name)} already exists`,
    details: createDetails(resource, name),
  });

export const conflict = (resource: QualifiedName, name: string, cause: string) =>
  new ApiError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedName(resource)} ${JSON.stringify(name)}: ${cause}`,
    details: createDetails(resource, name),
  });

export const expired = (message: string, continueToken?: string) =>
  new ApiError({
    code: 410,
    reason: 'Expired',
    message,
    ...(continueToken === undefined ? {} : { continueToken }),
  });

export const unsupportedMediaType = (accepted: readonly string[]) =>
  new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });

/** Errors that do not depend on the resource. */
const generic = (code: number, reason: string, message: string) => new ApiError({ code, reason, message, details: {} });

export const noSuchResource = () => generic(404, 'NotFound', 'the server could not find the requested resource');

export const methodNotAllowed = () =>
  generic(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');

export const unknownPatchType = () => generic(415, 'UnsupportedMediaType', '415: Unsupported Media Type');

export const patchDoesNotApply = () =>
  generic(422, 'Invalid', 'the server rejected our request due to an error in our request');

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
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map(value => JSON.stringify(value)).join(', ')}`,
});

/** Requires at least one field error. */
export function invalid(kind: QualifiedName, name: string, errors: readonly FieldError[]): ApiError {
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
