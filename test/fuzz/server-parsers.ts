// Parsers of responses from other servers: container managers, etcd, host sources, webhook receivers, proxies
// and other Hostler servers.

import { describeError } from '../../src/cli/errors.ts';
import { parseAddress } from '../../src/domain/addresses/address.ts';
import { formatOutputSignal, isSignal, parseOutputSignal } from '../../src/domain/events/signal.ts';
import type { SourceFacts } from '../../src/domain/hosts/host-facts.ts';
import { parseClusterInfo } from '../../src/drivers/container-manager/kubernetes/cluster-info.ts';
import { parseCertificateRequest } from '../../src/drivers/container-manager/openshift/certificate-request.ts';
import { nodeAddress, nodeName } from '../../src/drivers/container-manager/swarm/swarm-node.ts';
import { readInventory } from '../../src/drivers/host-source/file/inventory.ts';
import { extractFacts } from '../../src/drivers/host-source/http/options.ts';
import { parseQuantity, toNodeFacts } from '../../src/drivers/host-source/kubernetes/kubernetes.ts';
import { checkConfig } from '../../src/drivers/network/flannel-etcd/flannel-config.ts';
import { sanitizeFacts } from '../../src/engine/sources/sanitize-facts.ts';
import { errorMessage, readInfo, readNode, readTasks } from '../../src/integrations/docker/docker-schemas.ts';
import { errorText, parseRange, parseTransaction, parseVersion } from '../../src/integrations/etcd/etcd-gateway.ts';
import { RemoteServerError } from '../../src/integrations/http/remote-error.ts';
import { schemaParser } from '../../src/integrations/http/schema-parser.ts';
import { parseApiStatus } from '../../src/integrations/kubernetes/api-server.ts';
import { formatNodeNames, nodeSchema, toKubeNode } from '../../src/integrations/kubernetes/nodes.ts';
import { ApiError, toProblem } from '../../src/sdk/errors.ts';
import { SseParser } from '../../src/sdk/event-stream.ts';
import type { Parser } from './parser.ts';
import { allowErrors, assertThat, mutatedBytes, mutatedText, mutatedValue, parser, requireVisible } from './parser.ts';

const NODE = {
  metadata: { name: 'n1', uid: 'u1', resourceVersion: '1', labels: { a: 'b' }, annotations: {} },
  spec: { unschedulable: true },
  status: {
    addresses: [
      { type: 'InternalIP', address: '127.0.0.1' },
      { type: 'Hostname', address: 'n1' },
    ],
    conditions: [{ type: 'Ready', status: 'True' }],
    capacity: { cpu: '4', memory: '16393244Ki' },
    nodeInfo: { bootID: 'b', osImage: 'Debian GNU/Linux 12' },
  },
};
const ENGINE_NODE = {
  ID: 'x',
  Version: { Index: 1 },
  Spec: { Role: 'worker', Availability: 'active', Labels: { a: 'b' } },
  Description: { Hostname: 'h' },
  Status: { State: 'ready', Addr: '127.0.0.1' },
  ManagerStatus: { Addr: '127.0.0.1:2377' },
};
const ETCD = {
  header: { revision: '1' },
  kvs: [{ key: 'YQ==', value: 'Yg==', mod_revision: '1', lease: '0' }],
};
const KUBECONFIG = 'clusters:\n- cluster:\n    server: https://127.0.0.1:6443\n    certificate-authority-data: LS0t\n';
const der = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag, bytes.length), bytes]);
};
const inSubject = (type: string, value: string) =>
  der(0x31, der(0x30, der(0x06, Buffer.from(type, 'hex')), der(0x0c, Buffer.from(value))));
/** For the node n1; its key and signature are empty. */
const REQUEST = der(
  0x30,
  der(
    0x30,
    der(0x02, Buffer.of(0)),
    der(0x30, inSubject('55040a', 'system:nodes'), inSubject('550403', 'system:node:n1')),
    der(0x30),
    der(0xa0),
  ),
  der(0x30),
  der(0x03),
);

const readKubeNode = schemaParser('a node', nodeSchema);

function requireValidFacts(facts: SourceFacts | undefined): void {
  if (facts === undefined) return;
  const { os, hostname, conditions = {}, cpus = 0, memoryKib = 0, spaceKib = 0 } = sanitizeFacts(facts, ['debian']);
  assertThat(os === undefined || os === 'debian', 'the operating system is a known word');
  for (const text of [hostname, ...Object.entries(conditions).flat()]) requireVisible(text);
  for (const number of [cpus, memoryKib, spaceKib])
    assertThat(Number.isSafeInteger(number) && number >= 0, 'a number is valid');
}

const managerParsers: readonly Parser[] = [
  parser('a Kubernetes node', 'src/integrations/kubernetes/nodes.ts', mutatedValue(NODE), async value => {
    const parsed = await allowErrors(() => readKubeNode(value), RemoteServerError);
    if (parsed === undefined) return;
    const node = toKubeNode(parsed);
    requireVisible(formatNodeNames([node]));
    requireValidFacts(toNodeFacts(node));
  }),
  parser(
    'a Kubernetes quantity',
    'src/drivers/host-source/kubernetes/kubernetes.ts',
    mutatedText('16393244Ki', '3920m', '1e9'),
    text => {
      const number = parseQuantity(text);
      assertThat(number === undefined || number >= 0, 'the quantity is a number');
    },
  ),
  parser(
    'a Kubernetes error',
    'src/integrations/kubernetes/api-server.ts',
    mutatedValue({ code: 404, message: 'x', reason: 'y', details: { causes: [{ reason: 'z' }] } }),
    value => void parseApiStatus(value),
  ),
  parser(
    'cluster-info',
    'src/drivers/container-manager/kubernetes/cluster-info.ts',
    mutatedText(KUBECONFIG),
    async text => {
      await allowErrors(() => parseClusterInfo(text), Error).catch(error => {
        // Node reports invalid URLs and certificates itself.
        if (!/^Invalid URL$|certificate/i.test(error.message)) throw error;
      });
    },
    20,
  ),
  parser(
    'a certificate request',
    'src/drivers/container-manager/openshift/certificate-request.ts',
    mutatedBytes(REQUEST),
    async bytes => {
      const base64 = bytes.toString('base64');
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`;
      await allowErrors(() => parseCertificateRequest(pem), Error).catch(error => {
        if (error.code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
      });
    },
  ),
  parser('a Swarm node', 'src/integrations/docker/docker-schemas.ts', mutatedValue(ENGINE_NODE), async value => {
    const node = await allowErrors(() => readNode(value), RemoteServerError);
    if (node === undefined) return;
    const address = nodeAddress(node);
    assertThat(address === undefined || parseAddress(address) === address, 'the address is valid');
    requireVisible(nodeName(node));
    for (const read of [readInfo, readTasks]) await allowErrors(() => read(value), RemoteServerError);
    errorMessage(value);
  }),
  parser('an etcd response', 'src/integrations/etcd/etcd-gateway.ts', mutatedValue(ETCD), async value => {
    for (const read of [parseRange, parseTransaction, parseVersion])
      await allowErrors(() => read(value), RemoteServerError);
    errorText({ status: 500, body: value });
  }),
  parser(
    'the flannel configuration in etcd',
    'src/drivers/network/flannel-etcd/flannel-config.ts',
    mutatedText('{"Network":"10.1.0.0/16","Backend":{"Type":"vxlan"}}'),
    text => {
      requireVisible(checkConfig('/config', text, { Network: '10.1.0.0/16', Backend: { Type: 'vxlan' } }));
    },
  ),
];

const otherParsers: readonly Parser[] = [
  parser(
    'an inventory',
    'src/drivers/host-source/file/inventory.ts',
    mutatedText(
      '127.0.0.1: {os: debian, cpus: 4}\n::1: &a {memory: 5}\n',
      '[{"address":"127.0.0.1","os":"debian"}]',
      '{"127.0.0.1":{"cpus":4}}',
    ),
    async text => {
      const found = await allowErrors(() => readInventory(text), Error);
      for (const [address, facts] of found ?? []) {
        assertThat(parseAddress(address) === address, 'the address is valid');
        requireValidFacts(facts);
      }
    },
  ),
  parser(
    'a response of an HTTP host source',
    'src/drivers/host-source/http/options.ts',
    mutatedValue({ os: 'debian', hw: { cpus: 4, list: [1] }, memory: 5, hostname: 'h' }),
    value => {
      requireValidFacts(extractFacts(value, { fields: { cpus: '/hw/cpus', space: '/hw/list/0' }, memory_unit: 'GiB' }));
    },
  ),
  parser(
    'an error response, possibly of another program',
    'src/sdk/client.ts',
    mutatedValue({
      type: '/docs#x',
      title: 'x',
      status: 400,
      detail: 'why',
      code: 'x',
      request_id: 'r',
      errors: [{ path: '/a', message: 'm' }],
    }),
    value => {
      const headers = { get: () => 'application/problem+json' };
      const response = { ok: false, status: 400, statusText: 'no', headers, text: async () => '' };
      const error = new ApiError(400, toProblem(response, JSON.stringify(value)));
      for (const line of describeError(error).lines) requireVisible(line);
    },
  ),
  parser(
    'Server-Sent Events',
    'src/sdk/event-stream.ts',
    mutatedText('id: 1\ndata: {}\n\n', 'event: reset\r\ndata: x\r\n\r\n'),
    text => {
      new SseParser().parse(text);
    },
  ),
  parser(
    'a signal of another server',
    'src/domain/events/signal.ts',
    mutatedText('output web op 127.0.0.1,::1', 'reconcile web', 'due'),
    text => {
      const hint = parseOutputSignal(text);
      assertThat(hint === undefined || isSignal(formatOutputSignal(hint)), 'the signal round-trips');
    },
  ),
];

export const serverParsers: readonly Parser[] = [...managerParsers, ...otherParsers];
