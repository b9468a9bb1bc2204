import type { Member } from './read-hosts.ts';

/** Whether each word of a search is in the address, the hostname or a label of a host. */
export function matches(host: Member, search: string): boolean {
  const { address, hostname = '', labels = {}, os } = host;
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const texts = [address, hostname, os, ...pairs].map(text => text.toLowerCase());
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  return words.every(word => texts.some(text => text.includes(word)));
}
