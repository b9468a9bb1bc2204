// What other servers answer: container managers, etcd, host sources, receivers, proxies before us, other servers of ours.

import { explain } from '../../src/cli/explain.ts';
import { problemOf, RequestRefused } from '../../src/client/client.ts';
import { MessageParser } from '../../src/client/event-messages.ts';
import { readInfo, readNode, readTasks, wordsOf } from '../../src/clients/docker/engine-answers.ts';
import { pageOf, refusalOf, transactionOf, versionOf } from '../../src/clients/etcd/gateway.ts';
import { apiStatusOf } from '../../src/clients/kubernetes/api-status.ts';
import { kubeNodeOf, nodeNames, nodeSchema } from '../../src/clients/kubernetes/kube-node.ts';
import { reading } from '../../src/clients/reading.ts';
import { ServerFailure } from '../../src/clients/server-failure.ts';
import { parseAddress } from '../../src/domain/addresses/address.ts';
import { hintOfSignal, hintSignal } from '../../src/domain/events/output-hint.ts';
import { isSignal } from '../../src/domain/events/signal.ts';
import type { SourceFacts } from '../../src/domain/hosts/source-facts.ts';
import { clusterInfoOf } from '../../src/drivers/container-manager/kubernetes/cluster-info.ts';
import { requestedCertificate } from '../../src/drivers/container-manager/openshift/certificate-request.ts';
import { addressOf, nameOf } from '../../src/drivers/container-manager/swarm/node-at.ts';
import { readInventory } from '../../src/drivers/host-source/file/read-inventory.ts';
import { factsAt } from '../../src/drivers/host-source/http/facts-at.ts';
import { factsOfNode } from '../../src/drivers/host-source/kubernetes/facts-of-node.ts';
import { quantityOf } from '../../src/drivers/host-source/kubernetes/quantity.ts';
import { problemWith } from '../../src/drivers/network/flannel-etcd/flannel-configuration.ts';
import { soundFacts } from '../../src/engine/sources/sound-facts.ts';
import type { Parser } from './parser.ts';
import { near, nearBytes, nearValue, orSays, parser, require, requireSeen } from './parser.ts';

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
const KUBECONFIG =
  'clusters:\n- cluster:\n    server: https://127.0.0.1:6443\n    certificate-authority-data: LS0t\n';
const der = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag, bytes.length), bytes]);
};
const inSubject = (type: string, value: string) =>
  der(0x31, der(0x30, der(0x06, Buffer.from(type, 'hex')), der(0x0c, Buffer.from(value))));
/** For the node n1; the key and the signature in it are empty. */
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

const readKubeNode = reading('a node', nodeSchema);

function requireSound(facts: SourceFacts | undefined): void {
  if (facts === undefined) return;
  const {
    os,
    hostname,
    conditions = {},
    cpus = 0,
    memoryKib = 0,
    spaceKib = 0,
  } = soundFacts(facts, ['debian']);
  require(os === undefined || os === 'debian', 'the system is a word of ours');
  for (const text of [hostname, ...Object.entries(conditions).flat()]) requireSeen(text);
  for (const number of [cpus, memoryKib, spaceKib])
    require(Number.isSafeInteger(number) && number >= 0, 'a number is one');
}

const managers: readonly Parser[] = [
  parser('a node of Kubernetes', 'src/clients/kubernetes/kube-node.ts', nearValue(NODE), async value => {
    const told = await orSays(() => readKubeNode(value), ServerFailure);
    if (told === undefined) return;
    const node = kubeNodeOf(told);
    requireSeen(nodeNames([node]));
    requireSound(factsOfNode(node));
  }),
  parser(
    'a quantity of Kubernetes',
    'src/drivers/host-source/kubernetes/quantity.ts',
    near('16393244Ki', '3920m', '1e9'),
    text => {
      const number = quantityOf(text);
      require(number === undefined || number >= 0, 'it is a number');
    },
  ),
  parser(
    'a refusal of Kubernetes',
    'src/clients/kubernetes/api-status.ts',
    nearValue({ code: 404, message: 'x', reason: 'y', details: { causes: [{ reason: 'z' }] } }),
    value => void apiStatusOf(value),
  ),
  parser(
    'cluster-info',
    'src/drivers/container-manager/kubernetes/cluster-info.ts',
    near(KUBECONFIG),
    async text => {
      await orSays(() => clusterInfoOf(text), Error).catch(error => {
        // What a URL cannot be is told by Node, and so is a certificate that is none.
        if (!/^Invalid URL$|certificate/i.test(error.message)) throw error;
      });
    },
    20,
  ),
  parser(
    'a request for a certificate',
    'src/drivers/container-manager/openshift/certificate-request.ts',
    nearBytes(REQUEST),
    async bytes => {
      const base64 = bytes.toString('base64');
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`;
      await orSays(() => requestedCertificate(pem), Error).catch(error => {
        if (error.code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
      });
    },
  ),
  parser('a node of a swarm', 'src/clients/docker/engine-answers.ts', nearValue(ENGINE_NODE), async value => {
    const node = await orSays(() => readNode(value), ServerFailure);
    if (node === undefined) return;
    const address = addressOf(node);
    require(address === undefined || parseAddress(address) === address, 'its address is one');
    requireSeen(nameOf(node));
    for (const read of [readInfo, readTasks]) await orSays(() => read(value), ServerFailure);
    wordsOf(value);
  }),
  parser('a page of etcd', 'src/clients/etcd/gateway.ts', nearValue(ETCD), async value => {
    for (const read of [pageOf, transactionOf, versionOf]) await orSays(() => read(value), ServerFailure);
    refusalOf({ status: 500, body: value });
  }),
  parser(
    'what flannel has in etcd',
    'src/drivers/network/flannel-etcd/flannel-configuration.ts',
    near('{"Network":"10.1.0.0/16","Backend":{"Type":"vxlan"}}'),
    text => {
      requireSeen(problemWith('/config', text, { Network: '10.1.0.0/16', Backend: { Type: 'vxlan' } }));
    },
  ),
];

const others: readonly Parser[] = [
  parser(
    'an inventory',
    'src/drivers/host-source/file/read-inventory.ts',
    near(
      '127.0.0.1: {os: debian, cpus: 4}\n::1: &a {memory: 5}\n',
      '[{"address":"127.0.0.1","os":"debian"}]',
      '{"127.0.0.1":{"cpus":4}}',
    ),
    async text => {
      const found = await orSays(() => readInventory(text), Error);
      for (const [address, facts] of found ?? []) {
        require(parseAddress(address) === address, 'its address is one');
        requireSound(facts);
      }
    },
  ),
  parser(
    'an answer of a web service',
    'src/drivers/host-source/http/facts-at.ts',
    nearValue({ os: 'debian', hw: { cpus: 4, list: [1] }, memory: 5, hostname: 'h' }),
    value => {
      requireSound(factsAt(value, { fields: { cpus: '/hw/cpus', space: '/hw/list/0' }, memory_unit: 'GiB' }));
    },
  ),
  parser(
    'a refusal that may be of another program',
    'src/client/client.ts',
    nearValue({
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
      const answered = { ok: false, status: 400, statusText: 'no', headers, text: async () => '' };
      const refused = new RequestRefused(400, problemOf(answered, JSON.stringify(value)));
      for (const line of explain(refused).lines) requireSeen(line);
    },
  ),
  parser(
    'Server-Sent Events',
    'src/client/event-messages.ts',
    near('id: 1\ndata: {}\n\n', 'event: reset\r\ndata: x\r\n\r\n'),
    text => {
      new MessageParser().read(text);
    },
  ),
  parser(
    'a signal of another server',
    'src/domain/events/output-hint.ts',
    near('output web op 127.0.0.1,::1', 'reconcile web', 'due'),
    text => {
      const hint = hintOfSignal(text);
      require(hint === undefined || isSignal(hintSignal(hint)), 'it is one again');
    },
  ),
];

export const serverParsers: readonly Parser[] = [...managers, ...others];
