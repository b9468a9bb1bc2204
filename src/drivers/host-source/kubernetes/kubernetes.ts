import type { Static } from 'typebox';
import Type from 'typebox';
import type { Address } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';
import type { KubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';
import { createKubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';
import type { KubeNode } from '../../../integrations/kubernetes/nodes.ts';
import { formatNodeNames } from '../../../integrations/kubernetes/nodes.ts';
import { Backoff } from '../../../lib/time/backoff.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import { filePathOption, tlsClientOptions, tlsFileOptions, toTlsFiles, urlOption } from '../../option-schemas.ts';
import type { HostSource, HostSourceContext, HostSourceDriver } from '../host-source.ts';
import { parseFacts } from '../parse-facts.ts';
import { readTokenFile } from '../token-file.ts';

const FACTORS: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** Longer than any quantity; bounds the time of the regular expression. */
const MAX_QUANTITY_LENGTH = 64;

/** Parses a Kubernetes quantity such as `16393244Ki`, `3920m` or `1e9`. */
export function parseQuantity(text = ''): number | undefined {
  if (text.length > MAX_QUANTITY_LENGTH) return undefined;
  const [, number, exponent, suffix = ''] =
    /^\+?([0-9]+\.?[0-9]*|\.[0-9]+)(?:([eE][+-]?[0-9]{1,3})|([A-Za-z]{0,2}))$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  if (exponent !== undefined) return Number(`${number}${exponent}`);
  const factor = Object.hasOwn(FACTORS, suffix) ? FACTORS[suffix] : undefined;
  return factor === undefined ? undefined : Number(number) * factor;
}

/** Match `osImage`, which is `PRETTY_NAME` of os-release. The first match wins; other systems are omitted. */
const OS_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^Fedora CoreOS\b/, 'coreos'],
  [/^(Red Hat|CentOS|Fedora)\b.*\b(CoreOS|Atomic|Silverblue|Kinoite|IoT)\b/, 'atomic'],
  [/^Fedora\b/, 'fedora'],
  [/^CentOS\b/, 'centos'],
  [/^Red Hat Enterprise Linux\b/, 'rhel'],
  [/^Rocky Linux\b/, 'rocky'],
  [/^AlmaLinux\b/, 'almalinux'],
  [/^Debian GNU\/Linux\b/, 'debian'],
  [/^Ubuntu\b(?! Core)/, 'ubuntu'],
  [/^openSUSE (Leap(?! Micro)|Tumbleweed)\b/, 'opensuse'],
  [/^Flatcar\b/, 'flatcar'],
];

const toOsName = (osImage = '') => OS_PATTERNS.find(([pattern]) => pattern.test(osImage))?.[1];

const toKib = (quantity: string | undefined) => {
  const bytes = parseQuantity(quantity);
  return bytes === undefined ? undefined : bytes / 1024;
};

export const toNodeFacts = ({ osImage, capacity, hostname, conditions }: KubeNode): SourceFacts => ({
  ...parseFacts({
    os: toOsName(osImage),
    cpus: parseQuantity(capacity['cpu']),
    memory: toKib(capacity['memory']),
    space: toKib(capacity['ephemeral-storage']),
    hostname,
  }),
  conditions,
});

const optionsSchema = tlsClientOptions({
  server_url: urlOption('URL of the API server.'),
  token_path: Type.Optional(
    filePathOption('File with a bearer token, read again for each use. Alternatively, use a client certificate.'),
  ),
  ...tlsFileOptions,
});

type Context = HostSourceContext<Static<typeof optionsSchema>>;

async function createClient({ options, connections }: Context): Promise<KubernetesClient> {
  return createKubernetesClient({
    url: options.server_url,
    token: options.token_path === undefined ? undefined : await readTokenFile(options.token_path),
    tokenOption: 'token_path',
    files: toTlsFiles(options),
    connections,
  });
}

function groupByAddress(nodes: readonly KubeNode[]): ReadonlyMap<Address, readonly KubeNode[]> {
  const found = new Map<Address, KubeNode[]>();
  for (const node of nodes) {
    for (const address of node.addresses) found.set(address, [...(found.get(address) ?? []), node]);
  }
  return found;
}

function openKubernetes(context: Context): HostSource {
  return {
    isBulk: true,
    async read(hosts) {
      const nodes = groupByAddress((await (await createClient(context)).nodes.list()).items);
      return new Map(
        hosts.flatMap(host => {
          const [node, ...others] = nodes.get(host) ?? [];
          if (node === undefined) return [];
          // If two nodes have the address, the host cannot be identified.
          const conditions = { 'Nodes of this address': formatNodeNames([node, ...others]) };
          return [[host, others.length > 0 ? { conditions } : toNodeFacts(node)] as const];
        }),
      );
    },
    async watch(onChange, signal) {
      const backoff = new Backoff(systemClock);
      while (!signal.aborted && (await (await createClient(context)).watchNodes(onChange, signal)) === 'expired')
        await backoff.wait(signal);
    },
  };
}

export const kubernetes: HostSourceDriver = {
  type: 'kubernetes',
  summary: 'Nodes of a Kubernetes cluster, identified by their addresses',
  options: optionsSchema,
  open: openKubernetes,
};
