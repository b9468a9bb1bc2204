import { begun } from './sentence.ts';

const CAPITALS: ReadonlySet<string> = new Set(['ca', 'id', 'os', 'ssh', 'url']);

/** Fields that forms have other labels for. */
const LABELS: Readonly<Record<string, string>> = {
  cidr: 'allowed source network',
  current_password: 'password',
  expires_in_s: 'valid for',
  remote_user: 'SSH user',
  ssh_port: 'port',
  ssh_priv_key: 'private key',
  uses: 'maximum hosts',
};

function partWords(part: string): readonly string[] {
  if (/^\d+$/.test(part)) return [`item ${Number(part) + 1}`];
  if (Object.hasOwn(LABELS, part)) return [LABELS[part] ?? part];
  return part.split('_').map(word => (CAPITALS.has(word) ? word.toUpperCase() : word));
}

/** The words for a field inside a sentence, from the JSON pointer of an error: `hosts item 1` for `/hosts/0`. Empty: the whole value. */
export function fieldTerm(path: string): string {
  // The errors of a host are shown next to its address.
  const parts = path
    .replace(/^\/hosts\/\d+(?=\/)/, '')
    .split('/')
    .slice(1);
  return parts.flatMap(partWords).join(' ');
}

/** The same at the start of a sentence: `Hosts item 1`. */
export const fieldLabel = (path: string): string => begun(fieldTerm(path));
