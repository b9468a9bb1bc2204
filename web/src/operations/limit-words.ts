import { counted } from '../ui/words/counted.ts';

interface Limit {
  readonly name: 'max_unavailable' | 'max_excluded';
  /** As in the policy. */
  readonly amount: number | string;
  /** The same as a number of hosts; `undefined`: not known. */
  readonly allowed: number | undefined;
}

function amountWords({ amount, allowed }: Limit): string {
  if (allowed === undefined) return String(amount);
  return typeof amount === 'number' ? String(allowed) : `${amount} (${counted(allowed, 'host')})`;
}

/** `2 hosts are unavailable; the limit is 1.` */
export function limitWords(unavailable: number, limit: Limit): string {
  const hosts = `${counted(unavailable, 'host')} ${unavailable === 1 ? 'is' : 'are'} unavailable`;
  return limit.name === 'max_excluded'
    ? `${hosts}; the limit for excluded hosts is ${amountWords(limit)}.`
    : `${hosts}; the limit is ${amountWords(limit)}.`;
}
