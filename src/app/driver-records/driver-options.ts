import type { DriverRecord } from '../../domain/driver-record.ts';
import type { FieldError } from '../../domain/errors.ts';
import { invalidBody } from '../../domain/errors.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { REDACTED_OPTION } from '../../domain/vocabulary.ts';
import type { Drivers } from '../../drivers/index.ts';
import { escapeKey } from '../../lib/json.ts';
import type { SchemaValidator } from '../../lib/schema.ts';
import { compileSchema } from '../../lib/schema.ts';

export type DriverOptions = Readonly<Record<string, unknown>>;

export type AnyDriver = Drivers[DriverRecordKind][number];

const validators = new WeakMap<AnyDriver, SchemaValidator>();

export function validatorFor(driver: AnyDriver): SchemaValidator {
  const validator = validators.get(driver) ?? compileSchema(driver.options);
  validators.set(driver, validator);
  return validator;
}

export const isSecretOption = (driver: AnyDriver, option: string): boolean => {
  const schema: unknown = driver.options.properties[option];
  return typeof schema === 'object' && schema !== null && 'secret' in schema && schema.secret === true;
};

/** JavaScript would return such numbers with a different value. */
function findUnsafeNumbers(value: unknown, path: string): FieldError[] {
  if (typeof value === 'number') {
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return isExact ? [] : [{ path, message: 'is a number that cannot be stored exactly; send it as a string' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, nested]) => findUnsafeNumbers(nested, `${path}/${escapeKey(key)}`));
}

export function validateDriverOptions(drivers: Drivers, kind: DriverRecordKind, type: string, options: DriverOptions) {
  const available: readonly AnyDriver[] = drivers[kind];
  const driver = available.find(candidate => candidate.type === type);
  if (driver === undefined) {
    const types = available.map(candidate => candidate.type).join(', ');
    return invalidBody({ path: '/type', message: `must be one of ${types}` });
  }
  const errors: FieldError[] = validatorFor(driver)(options).map(({ path, message }) => ({
    path: `/options${path}`,
    message,
  }));
  for (const [option, value] of Object.entries(options)) {
    if (isSecretOption(driver, option) && value === REDACTED_OPTION) {
      errors.push({
        path: `/options/${option}`,
        message: 'is the placeholder of a hidden secret; send the secret itself',
      });
    }
  }
  errors.push(...findUnsafeNumbers(options, '/options'));
  return errors.length > 0 ? invalidBody(...errors) : driver;
}

export const redactOptions = (record: DriverRecord): DriverOptions => ({
  ...record.options,
  ...Object.fromEntries(Object.keys(record.sealedOptions).map(option => [option, REDACTED_OPTION])),
});
