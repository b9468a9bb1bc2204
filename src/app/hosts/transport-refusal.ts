import type { Refusal } from '../../domain/errors.ts';
import { invalidBody } from '../../domain/errors.ts';
import type { Ports } from '../ports.ts';

/** Why hosts cannot be reached by this, if so. Empty: by whichever is the standard. */
export function transportRefusal({ transports }: Ports, transport = ''): Refusal | undefined {
  if (transport === '' || transports.includes(transport)) return undefined;
  return invalidBody({ path: '/transport', message: `must be one of ${transports.join(', ')}, or empty` });
}
