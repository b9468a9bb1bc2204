import type { AppError } from '../../domain/errors.ts';
import { invalidBody } from '../../domain/errors.ts';
import type { Ports } from '../ports.ts';

/** Why hosts cannot be reached by this, if so. Empty: by whichever is the standard. */
export function transportRefusal({ transports }: Ports, transport = ''): AppError | undefined {
  const types = transports.map(({ type }) => type);
  if (transport === '' || types.includes(transport)) return undefined;
  return invalidBody({ path: '/transport', message: `must be one of ${types.join(', ')}, or empty` });
}
