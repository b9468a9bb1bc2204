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

/** What people call a field, from the JSON pointer of an error: `Hosts item 1` for `/hosts/0`. Empty: all of it. */
export function fieldLabel(path: string): string {
  // Of many hosts that are enrolled at once each has its errors beside its address.
  const parts = path
    .replace(/^\/hosts\/\d+(?=\/)/, '')
    .split('/')
    .slice(1);
  return begun(parts.flatMap(partWords).join(' '));
}
