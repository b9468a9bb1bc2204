// Converts texts of the server for the command line: JSON fields and policy fields become flags and commands.

import { formatHost } from '../../sdk/host-progress.ts';
import { replacePolicyFields, toPolicyFlag } from '../policy/policy-flags.ts';

/** The flag of each request field outside of policies. Arguments such as `<cluster>` have no flag. */
export const FIELD_FLAGS: Readonly<Record<string, string>> = {
  actor: '--actor',
  after: '--after',
  cidr: '--cidr',
  cluster: '--cluster',
  container_manager: '--container-manager',
  events: '--event',
  exclude: '--exclude',
  expires_in_s: '--expires',
  host: '--host',
  host_keys: '--host-key',
  hostname: '--hostname',
  kind: '--kind',
  label: '--label',
  limit: '--limit',
  network: '--network',
  operation: '--operation',
  origin: '--origin',
  os: '--os',
  port: '--port',
  q: '--search',
  reason: '--reason',
  remote_user: '--remote-user',
  role: '--role',
  since: '--since',
  source: '--source',
  ssh_port: '--port',
  ssh_priv_key: 'the private key',
  status: '--status',
  subject: '--subject',
  transport: '--transport',
  type: '--type',
  until: '--until',
  url: '--url',
  uses: '--uses',
  version: '--version',
};

/** The flag of a field error or, if there is none, its field name. Empty for the whole request. */
export function describeField(pointer: string): string {
  // `/hosts/0/…` is a field of one of several hosts. `/hosts/0` itself is an address.
  const [first = '', ...rest] = pointer
    .replace(/^\/hosts\/\d+(?=\/)/, '')
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (first === 'policy') return toPolicyFlag(rest) ?? ['policy', ...rest].join('.');
  if (first === 'legacy') return rest[0] === 'account' ? '--account' : 'the password';
  if (first === 'options') return ['--option', ...rest.slice(0, 1)].join(' ');
  if (Object.hasOwn(FIELD_FLAGS, first)) return FIELD_FLAGS[first] ?? first;
  // In requests other than for operations, `hosts` and `labels` are arguments.
  const flag = ['hosts', 'labels'].includes(first) ? undefined : toPolicyFlag([first, ...rest]);
  return flag ?? [first, ...rest.filter(part => !/^\d+$/.test(part))].join('.');
}

export const toEnrolmentFlag = (field: string): string =>
  field === 'ssh_priv_key' ? '--key' : describeField(`/${field}`);

export const formatServerText = (text: string): string =>
  replacePolicyFields(text)
    .replace(/\bresume all operations to continue\b/, 'resume them with: hostler operation resume-all')
    .replace(/; to replace it, send If-Match with its ETag$/, '; remove it first, or use another name')
    .replace(/\bthe (\w+) in the URL\b/g, 'the $1');

/** Can also match other numbers, such as times. */
const ADDRESS = /(?<![\w.:-])[0-9a-f:.]*[0-9a-f](?![\w-])/gi;

/** Puts the hostname before each address: `edge-2 (127.0.0.2)`. `findHostname` returns nothing for other texts. */
export const addHostnames = (text: string, findHostname: (address: string) => string | undefined): string =>
  text.replace(ADDRESS, address => formatHost({ address, hostname: findHostname(address) ?? '' }));
