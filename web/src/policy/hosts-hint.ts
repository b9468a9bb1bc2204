import type { Hostnames } from '#sdk/hostnames.ts';
import { truncateList } from '../ui/format/text.ts';
import { splitWords } from './policy-input.ts';

const MAX_LISTED = 50;

/** Adds the names of the hosts, because the field contains addresses. */
export function hostsHint(hint: string, text: string, hostnames: Hostnames): string {
  const addresses = splitWords(text);
  if (!addresses.some(address => hostnames.has(address))) return hint;
  const names = addresses.map(address => hostnames.get(address) ?? address);
  return `${truncateList(names, MAX_LISTED)}. ${hint}`;
}
