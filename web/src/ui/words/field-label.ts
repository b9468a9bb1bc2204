import { begun } from './sentence.ts';

const CAPITALS: ReadonlySet<string> = new Set(['ca', 'cidr', 'id', 'os', 'ssh', 'url']);

const partWords = (part: string) => {
  if (/^\d+$/.test(part)) return [`item ${Number(part) + 1}`];
  return part.split('_').map(word => (CAPITALS.has(word) ? word.toUpperCase() : word));
};

/** What people call a field, from the JSON pointer of an error: `Hosts item 1` for `/hosts/0`. Empty: all of it. */
export const fieldLabel = (path: string): string =>
  begun(path.split('/').slice(1).flatMap(partWords).join(' '));
