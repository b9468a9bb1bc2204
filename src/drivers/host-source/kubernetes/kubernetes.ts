import type { Static } from 'typebox';
import Type from 'typebox';
import type { Connections } from '../../../clients/connections.ts';
import type { KubeNode } from '../../../clients/kubernetes/kube-node.ts';
import { nodeNames } from '../../../clients/kubernetes/kube-node.ts';
import type { KubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { openKubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { reading } from '../../../clients/reading.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/source-facts.ts';
import { systemClock } from '../../../lib/time/clock.ts';
import { GrowingPause } from '../../../lib/time/growing-pause.ts';
import { certificateWithKey, filePath, tlsFiles, tlsFilesOf, url } from '../../option-fields.ts';
import type { HostSource, HostSourceDriver } from '../host-source.ts';
import { tokenIn } from '../token-file.ts';
import { factsOfNode } from './facts-of-node.ts';

const options = Type.Object(
  {
    server_url: url('URL of the API server.'),
    token_path: Type.Optional(
      filePath('File with a bearer token, read again for each use. Alternatively, use a client certificate.'),
    ),
    ...tlsFiles,
  },
  { additionalProperties: false, ...certificateWithKey },
);

const optionsOf = reading('the options of a Kubernetes source', options);

type Options = Static<typeof options>;

async function apiOf(given: Options, connections: Connections): Promise<KubernetesApi> {
  return openKubernetesApi({
    url: given.server_url,
    token: given.token_path === undefined ? undefined : await tokenIn(given.token_path),
    tokenOption: 'token_path',
    files: tlsFilesOf(given),
    connections,
  });
}

function byAddress(nodes: readonly KubeNode[]): ReadonlyMap<Address, readonly KubeNode[]> {
  const found = new Map<Address, KubeNode[]>();
  for (const node of nodes) {
    for (const address of node.addresses) found.set(address, [...(found.get(address) ?? []), node]);
  }
  return found;
}

const sameAddress = (nodes: readonly KubeNode[]): SourceFacts => ({
  conditions: { 'Nodes of this address': nodeNames(nodes) },
});

function openKubernetes(open: () => Promise<KubernetesApi>): HostSource {
  return {
    readsAll: true,
    async read(hosts) {
      const nodes = byAddress((await (await open()).nodes.list()).items);
      return new Map(
        hosts.flatMap(host => {
          const [node, ...others] = nodes.get(host) ?? [];
          if (node === undefined) return [];
          // Two nodes of one address are one too many: nobody knows which of them the host is.
          const facts = others.length > 0 ? sameAddress([node, ...others]) : factsOfNode(node);
          return [[host, facts] as const];
        }),
      );
    },
    async watch(changed, signal) {
      const pause = new GrowingPause(systemClock);
      // One that has forgotten where we were is watched from where it is now.
      while (!signal.aborted && (await (await open()).watchNodes(changed, signal)) === 'expired')
        await pause.wait(signal);
    },
  };
}

export const kubernetes: HostSourceDriver = {
  type: 'kubernetes',
  summary: 'Nodes of a Kubernetes cluster, identified by their addresses',
  options,
  open({ options: given, connections }) {
    const checked = optionsOf(given);
    return openKubernetes(() => apiOf(checked, connections));
  },
};
