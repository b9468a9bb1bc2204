import type { Address } from '../../../domain/addresses/address.ts';

const HOLE = '{address}';

/** Path and query of a URL with `{address}` in it, for one host. */
export function targetOf(template: string, host: Address): { path: string; query: Record<string, string> } {
  const address = encodeURIComponent(host);
  const { pathname, searchParams } = new URL(template.replaceAll(HOLE, address));
  return { path: pathname, query: Object.fromEntries(searchParams) };
}
