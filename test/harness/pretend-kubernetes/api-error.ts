// What the API says when it refuses, word for word as kube-apiserver does: apimachinery/pkg/api/errors.

import type { Fields } from './objects.ts';

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
  /** Where to go on with a list that is too old. */
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

/** A resource or a kind with its group, if that has a name. */
export interface Qualified {
  readonly group: string;
  readonly name: string;
}

export const qualifiedName = ({ group, name }: Qualified) => (group === '' ? name : `${name}.${group}`);

const detailsOf = ({ group, name: kind }: Qualified, name: string): ErrorDetails => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind,
});

export const badRequest = (message: string) => new ApiError({ code: 400, reason: 'BadRequest', message });

export const unauthorized = () =>
  new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

export function forbidden(resource: Qualified, name: string, why: string): ApiError {
  const what = qualifiedName(resource) + (name === '' ? '' : ` ${JSON.stringify(name)}`);
  const message = resource.name === '' ? `forbidden: ${why}` : `${what} is forbidden: ${why}`;
  const details = resource.name === '' ? {} : detailsOf(resource, name);
  return new ApiError({ code: 403, reason: 'Forbidden', message, details });
}

export const notFound = (resource: Qualified, name: string) =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: `${qualifiedName(resource)} ${JSON.stringify(name)} not found`,
    details: detailsOf(resource, name),
  });

export const alreadyExists = (resource: Qualified, name: string, isBeingDeleted: boolean) =>
  new ApiError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${isBeingDeleted ? 'object is being deleted: ' : ''}${qualifiedName(resource)} ${JSON.stringify(name)} already exists`,
    details: detailsOf(resource, name),
  });

export const conflict = (resource: Qualified, name: string, why: string) =>
  new ApiError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedName(resource)} ${JSON.stringify(name)}: ${why}`,
    details: detailsOf(resource, name),
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

/** What is refused before it comes to the resource, or has nothing to do with it. */
const generic = (code: number, reason: string, message: string) =>
  new ApiError({ code, reason, message, details: {} });

export const noSuchResource = () =>
  generic(404, 'NotFound', 'the server could not find the requested resource');

export const methodNotAllowed = () =>
  generic(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');

export const unknownPatchType = () => generic(415, 'UnsupportedMediaType', '415: Unsupported Media Type');

export const patchDoesNotApply = () =>
  generic(422, 'Invalid', 'the server rejected our request due to an error in our request');
