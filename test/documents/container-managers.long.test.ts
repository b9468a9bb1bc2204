// Runs the documents about Kubernetes against a simulated API server. `kubectl` and `docker` are stand-ins
// for the commands of the documents.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import type { SimulatedSandbox } from '../harness/documents/doc-sandbox.ts';
import { createSimulatedSandbox } from '../harness/documents/doc-sandbox.ts';
import { runDocument } from '../harness/documents/run-document.ts';
import type { KubernetesServer } from '../harness/fake-kubernetes/server.ts';
import { startKubernetes } from '../harness/fake-kubernetes/server.ts';

const ADDRESS = '127.0.0.1' as Address;
const NODE = 'node1';
/** As k3s writes it: with the digest of the CA. */
const NODE_TOKEN = `K10${'a'.repeat(64)}::server:secret`;

/** Stand-in that lists nodes, prints the token and accepts a manifest with a ServiceAccount. */
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

describe('documents about container managers', () => {
  let [kubernetes, environment]: [KubernetesServer?, SimulatedSandbox?] = [];
  let kubelet: NodeJS.Timeout | undefined;

  const running = () => {
    if (kubernetes === undefined || environment === undefined) throw new Error('not started');
    return { kubernetes, ...environment };
  };
  const inPlace = (name: string) => path.join(running().sandbox.checkout, name);

  beforeAll(async () => {
    kubernetes = await startKubernetes({ version: '1.30' });
  });
  afterAll(() => kubernetes?.close());
  beforeEach(async () => {
    environment = await createSimulatedSandbox({ hosts: { [ADDRESS]: {} } });
    const { fleet, sandbox, kubernetes: server } = running();
    sandbox.addProgram('kubectl', kubectl(server.adminToken));
    sandbox.addProgram('docker', DOCKER);
    // Acts as the kubelet of the host and reports each boot.
    let reportedBootId = '';
    kubelet = setInterval(() => {
      const { bootId, isUp } = fleet.host(ADDRESS).power;
      if (!isUp || bootId === reportedBootId) return;
      reportedBootId = bootId;
      server.kubelet(NODE, { address: ADDRESS, bootId });
    }, 50);
  });
  afterEach(async () => {
    clearInterval(kubelet);
    await environment?.stop();
  });

  const replaced = (): readonly (readonly [string, string])[] => [
    ['https://127.0.0.1:6443', running().kubernetes.url],
    ...['prod', 'k3s'].map(name => [`/etc/hostler/${name}-ca.crt`, running().kubernetes.caPath] as const),
    ['~/.ssh/fleet', inPlace('fleet')],
  ];

  test('the commands in container-managers.md work', async () => {
    const { service, sandbox, quickstartSetup, kubernetes: server } = running();
    const options = { server_url: server.url, ca_path: server.caPath, token: server.adminToken };
    await service.put('/api/v0/containermanager/prod', { type: 'kubernetes', options });
    await runDocument('docs/guides/container-managers.md', sandbox, {
      setup: quickstartSetup,
      substitutions: replaced(),
    });
  });

  test('the commands in kubernetes.md work', async () => {
    const { sandbox, kubernetes: server } = running();
    writeFileSync(inPlace('fleet'), Buffer.from(PRIVATE_KEY, 'base64'));
    writeFileSync(inPlace('node-token'), NODE_TOKEN);
    writeFileSync(inPlace('api-token'), server.adminToken);
    await runDocument('docs/guides/kubernetes.md', sandbox, {
      substitutions: replaced(),
      rules: [
        { contains: '--cluster web --wait', expectOutput: /active/ },
        { contains: 'restart web --follow', expectOutput: /finished in \d+s: 1 of 1 host done/ },
        { contains: 'cluster leave', expectOutput: /disassociated/ },
      ],
    });
  });
});
