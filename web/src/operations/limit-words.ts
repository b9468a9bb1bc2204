import type { ReachedLimit } from '#client/blocking-hosts.ts';
import { limitText } from '#client/blocking-hosts.ts';
import { counted } from '../ui/words/counted.ts';

/** `2 hosts are unavailable; the limit is 1.` */
export function limitWords(unavailable: number, limit: ReachedLimit): string {
  const hosts = `${counted(unavailable, 'host')} ${unavailable === 1 ? 'is' : 'are'} unavailable`;
  return limit.name === 'max_excluded'
    ? `${hosts}; the limit for excluded hosts is ${limitText(limit)}.`
    : `${hosts}; the limit is ${limitText(limit)}.`;
}
