// Documents about Kubernetes, at a Kubernetes of the tests' own. `kubectl` and `docker` are stand-ins that answer what the documents ask.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { PretendPlace } from '../harness/documents/pretend-place.ts';
import { makePretendPlace } from '../harness/documents/pretend-place.ts';
import { readThrough } from '../harness/documents/read-through.ts';
import { PRIVATE_KEY } from '../harness/keys.ts';
import type { KubernetesServer } from '../harness/pretend-kubernetes/server.ts';
import { startKubernetes } from '../harness/pretend-kubernetes/server.ts';

const ADDRESS = '127.0.0.1' as Address;
const NODE = 'node1';
/** As k3s writes them: with the digest of an authority. */
const NODE_TOKEN = `K10${'a'.repeat(64)}::server:secret`;

/** Says which nodes there are, and the token of the account; takes what can be read as YAML. */
const kubectl = (token: string) => `#!/bin/sh
case "$*" in
  "apply -f "*) grep -q 'kind: ServiceAccount' "$3" ;;
  *"get secret hostler-token"*) printf %s '${token}' | base64 -w0 ;;
  "get nodes" | "get node ${NODE} "*) echo ${NODE} ;;
  *) echo "unknown: $*" >&2; exit 1 ;;
esac
`;

const DOCKER = `#!/bin/sh
[ "$1 $2" = "node inspect" ] && echo "$3"
`;

describe('what a document about container managers gives to type works', () => {
  let [kubernetes, made]: [KubernetesServer?, PretendPlace?] = [];
  let kubelet: NodeJS.Timeout | undefined;

  const running = () => {
    if (kubernetes === undefined || made === undefined) throw new Error('it was not started');
    return { kubernetes, ...made };
  };
  const inPlace = (name: string) => path.join(running().place.checkout, name);

  beforeAll(async () => {
    kubernetes = await startKubernetes({ version: '1.30' });
  });
  afterAll(() => kubernetes?.close());
  beforeEach(async () => {
    made = await makePretendPlace({ hosts: { [ADDRESS]: {} } });
    const { fleet, place, kubernetes: server } = running();
    place.addProgram('kubectl', kubectl(server.adminToken));
    place.addProgram('docker', DOCKER);
    // The kubelet of the host, which tells of each boot.
    let told = '';
    kubelet = setInterval(() => {
      const { bootId, isUp } = fleet.host(ADDRESS).power;
      if (!isUp || bootId === told) return;
      told = bootId;
      server.kubelet(NODE, { address: ADDRESS, bootId });
    }, 50);
  });
  afterEach(async () => {
    clearInterval(kubelet);
    await made?.stop();
  });

  const replaced = (): readonly (readonly [string, string])[] => [
    ['https://127.0.0.1:6443', running().kubernetes.url],
    ...['prod', 'k3s'].map(name => [`/etc/hostler/${name}-ca.crt`, running().kubernetes.caPath] as const),
    ['~/.ssh/fleet', inPlace('fleet')],
  ];

  test('all of them', async () => {
    const { service, place, tour, kubernetes: server } = running();
    const options = { server_url: server.url, ca_path: server.caPath, token: server.adminToken };
    await service.put('/api/v0/containermanager/prod', { type: 'kubernetes', options });
    await readThrough('docs/guides/container-managers.md', place, {
      typedBefore: tour,
      replaced: replaced(),
    });
  });

  test('a walk to Kubernetes and k3s', async () => {
    const { place, kubernetes: server } = running();
    writeFileSync(inPlace('fleet'), Buffer.from(PRIVATE_KEY, 'base64'));
    writeFileSync(inPlace('node-token'), NODE_TOKEN);
    writeFileSync(inPlace('api-token'), server.adminToken);
    await readThrough('docs/guides/kubernetes.md', place, {
      replaced: replaced(),
      rules: [
        { has: '--cluster web --wait', says: /active/ },
        { has: 'restart web --follow', says: /finished in \d+s: 1 of 1 host done/ },
        { has: 'cluster leave', says: /disassociated/ },
      ],
    });
  });
});
