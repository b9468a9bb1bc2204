// Requests of each command of commctl 0.0.6, the Commissaire client, recorded from real runs.

import { readFileSync } from 'node:fs';

export interface CommctlRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Every PUT and DELETE has a body, at least an empty object. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Positional words, and flags by their long names. */
interface ParsedCommand {
  readonly words: readonly string[];
  flag(name: string): string | undefined;
}

/** `-c` is the container manager of a cluster, or the cluster of a host. */
const SHORT_FLAGS: Readonly<Record<string, string>> = {
  '-t': '--type',
  '-n': '--network',
  '-c': '--cluster',
  '-o': '--options',
};

function parseCommand(argv: readonly string[]): ParsedCommand {
  const words: string[] = [];
  const flags = new Map<string, string>();
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (!word.startsWith('-')) words.push(word);
    else flags.set(SHORT_FLAGS[word] ?? word, argv[++index] ?? '');
  }
  return { words, flag: name => flags.get(name) };
}

const get = (path: string): CommctlRequest => ({ method: 'GET', path });
const put = (path: string, body: Readonly<Record<string, unknown>> = {}): CommctlRequest => ({
  method: 'PUT',
  path,
  body,
});
const remove = (path: string): CommctlRequest => ({ method: 'DELETE', path, body: {} });

/** Path segment by commctl noun. */
const NOUNS: Readonly<Record<string, string>> = {
  cluster: 'cluster',
  container_manager: 'containermanager',
  host: 'host',
  network: 'network',
};

function createBody(noun: string, { words, flag }: ParsedCommand): Readonly<Record<string, unknown>> {
  if (noun === 'cluster')
    return {
      type: flag('--type') ?? 'kubernetes',
      network: flag('--network') ?? 'default',
      container_manager: flag('--container-manager') ?? flag('--cluster') ?? '',
    };
  if (noun === 'host') {
    const key = readFileSync(words[3] ?? '').toString('base64');
    const cluster = flag('--cluster');
    return { ssh_priv_key: key, ...(cluster !== undefined && { cluster }) };
  }
  const defaultType = noun === 'network' ? 'flannel_etcd' : 'openshift';
  return { type: flag('--type') ?? defaultType, options: JSON.parse(flag('--options') ?? '{}') };
}

export function commctlRequests(argv: readonly string[]): readonly CommctlRequest[] {
  const command = parseCommand(argv);
  const [noun = '', verb = '', ...rest] = command.words;
  const [first = '', second = '', third = ''] = rest;
  const base = `/api/v0/${NOUNS[noun] ?? noun}`;
  switch (verb) {
    case 'list':
      return [get(noun === 'host' && first ? `/api/v0/cluster/${first}/hosts` : `${base}s`)];
    case 'get':
      return [get(`${base}/${first}`)];
    case 'status':
      return [get(`${base}/${first}/status`)];
    case 'create':
      return [put(`${base}/${first}`, createBody(noun, command))];
    case 'delete':
      return rest.map(name => remove(`${base}/${name}`));
    case 'join':
      return [put(`/api/v0/cluster/${second}/hosts/${first}`)];
    case 'unjoin':
      return [remove(`/api/v0/cluster/${second}/hosts/${first}`)];
    case 'deploy':
    case 'restart':
    case 'upgrade': {
      const path = `${base}/${second}/${verb}`;
      if (first === 'status') return [get(path)];
      return [put(path, verb === 'deploy' ? { version: third } : {})];
    }
    default:
      throw new Error(`commctl has no such command: ${argv.join(' ')}`);
  }
}
