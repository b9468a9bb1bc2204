// `http/errors/problem-catalog.ts` maps each code to an HTTP status (checked by the compiler), and
// `docs/reference/errors.md` documents it (checked by a test).

import { OperatorError } from '../lib/errors.ts';
import type { SecretLocation } from './secret.ts';

export const ERROR_CODES = [
  'bad_request',
  'invalid_json',
  'invalid_body',
  'invalid_query',
  'invalid_header',
  'invalid_name',
  'invalid_address',
  'invalid_private_key',
  'reserved_name',
  'path_mismatch',
  'too_many_members',
  'too_many_hosts',
  'unauthorized',
  'forbidden',
  'confirmation_needed',
  'wrong_password',
  'address_mismatch',
  'token_expired',
  'token_exhausted',
  'token_network_mismatch',
  'token_cluster_mismatch',
  'token_cluster_removed',
  'not_found',
  'unresolved_name',
  'method_not_allowed',
  'request_timeout',
  'conflict',
  'members_changed',
  'host_not_ready',
  'host_in_other_cluster',
  'host_conflict',
  'host_unreachable',
  'host_key_changed',
  'credentials_rejected',
  'no_pending_host_key',
  'fingerprint_mismatch',
  'unknown_cluster',
  'unknown_network',
  'unknown_container_manager',
  'operation_running',
  'operation_not_supported',
  'host_in_operation',
  'invalid_state',
  'nothing_to_retry',
  'not_a_member',
  'idempotency_key_reused',
  'token_exists',
  'in_use',
  'built_in',
  'last_admin',
  'precondition_failed',
  'body_too_large',
  'unsupported_media_type',
  'too_many_failed_logins',
  'too_many_requests',
  'headers_too_large',
  'internal_error',
  'secret_damaged',
  'server_busy',
  'dns_unavailable',
  'too_many_event_subscribers',
  'starting',
  'store_unavailable',
  'store_corrupt',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** `path` is a JSON Pointer into the request body. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** An expected error, returned as a value. Returning an AppError from a transaction rolls it back. */
export class AppError {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, detail: string, options: { errors?: readonly FieldError[]; retryAfterS?: number } = {}) {
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.retryAfterS = options.retryAfterS;
  }
}

/** `rootName` replaces an empty path in the detail. */
export const appErrorFromFields = (code: ErrorCode, errors: readonly FieldError[], rootName: string) =>
  new AppError(code, errors.map(({ path, message }) => `${path.slice(1) || rootName} ${message}`).join('; '), {
    errors,
  });

const MAX_ERRORS = 100;

/** The body matches the schema, but its content is invalid. */
export const invalidBody = (...errors: FieldError[]) =>
  appErrorFromFields('invalid_body', errors.slice(0, MAX_ERRORS), 'the body');

/** The only failure that all layers pass on as an exception. */
export class StoreUnavailableError extends Error {
  constructor(cause: unknown) {
    super('the store is unavailable', { cause });
  }
}

/** Part of the store cannot be read; an administrator must restore a backup. */
export class StoreCorruptError extends StoreUnavailableError {}

export class SecretDamagedError extends OperatorError {
  constructor({ table, row, column }: SecretLocation) {
    super(
      `the secret ${column} of ${row} in the table ${table} cannot be decrypted: it was changed in the store, or copied from another place; set it again, or restore a backup`,
    );
  }
}

/** Thrown inside a transaction that must lock other rows than it did: the transaction restarts. */
export class RetryTransaction extends Error {}
