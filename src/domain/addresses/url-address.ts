import type { Address } from './address.ts';
import { parseAddress } from './address.ts';

/** The address in a URL; `undefined` where it has a name, which is still to be looked up. */
export const addressInUrl = ({ hostname }: URL): Address | undefined =>
  parseAddress(hostname.replace(/^\[|\]$/g, ''));
