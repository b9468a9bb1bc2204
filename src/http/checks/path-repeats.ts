import { parseAddress } from '../../domain/addresses/address.ts';
import type { FieldError } from '../../domain/errors.ts';
import { AppError } from '../../domain/errors.ts';
import type { Params } from '../call.ts';

/** A body may repeat what the path says (`name`, `address`, `host`), but not contradict it. */
export function repeatProblem(params: Partial<Params>, body: unknown): AppError | undefined {
  if (body === null || typeof body !== 'object') return undefined;
  const errors: FieldError[] = [];
  const compare = (
    field: string,
    wanted: string | undefined,
    parse: (text: string) => string | undefined,
  ) => {
    const given: unknown = Reflect.get(body, field);
    if (wanted === undefined || given === undefined) return;
    if (typeof given !== 'string' || parse(given) !== wanted) {
      errors.push({ path: `/${field}`, message: `must equal ${wanted}, the value in the URL` });
    }
  };
  compare('name', params.name, text => text);
  compare('address', params.address, parseAddress);
  compare('host', params.address, parseAddress);
  return errors.length > 0
    ? new AppError('path_mismatch', 'the body contradicts the URL', { errors })
    : undefined;
}
