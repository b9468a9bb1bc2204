// Nodes as their kubelets report them.

import { randomUUID } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import type { Fields, KubeObject } from './objects.ts';
import { fieldsAt, formatTime, listAt, omitEmptyFields, textAt } from './objects.ts';
import { NODES } from './resources.ts';

export interface KubeletOptions {
  /** Type InternalIP. */
  readonly address: string;
  /** Default: the name of the node. */
  readonly hostname?: string;
  readonly bootId?: string;
  readonly machineId?: string;
  readonly osImage?: string;
  /** Default: the version of the server, such as v1.20.2. */
  readonly kubeletVersion?: string;
  /** Adds the current and the former control plane labels. */
  readonly isControlPlane?: boolean;
  readonly isReady?: boolean;
  readonly isUnschedulable?: boolean;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly capacity?: {
    readonly cpu?: string;
    readonly memory?: string;
    readonly 'ephemeral-storage'?: string;
    readonly pods?: string;
  };
}

const PRESSURES = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];
const CAPACITY = { cpu: '4', memory: '16393244Ki', 'ephemeral-storage': '61255492Ki', pods: '110' };
const CONTROL_PLANE_LABELS = {
  'node-role.kubernetes.io/control-plane': '',
  'node-role.kubernetes.io/master': '',
};
/** Taint of the node lifecycle controller for unresponsive nodes. */
const UNREACHABLE = 'node.kubernetes.io/unreachable';

export class Kubelets {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Creates the node or updates its status; keeps the spec and other metadata. */
  report(name: string, options: KubeletOptions): KubeObject {
    const { store, clock } = this.#cluster;
    const known = store.get(NODES, '', name);
    const { labels = {}, annotations = {}, hostname = name } = options;
    const roles = options.isControlPlane ? CONTROL_PLANE_LABELS : {};
    const node: KubeObject = known ?? {
      metadata: { name, uid: randomUUID(), resourceVersion: '', creationTimestamp: formatTime(clock.now()) },
      spec: {},
    };
    node.metadata.labels = {
      'kubernetes.io/hostname': hostname,
      'kubernetes.io/os': 'linux',
      ...node.metadata.labels,
      ...roles,
      ...labels,
    };
    node.metadata.annotations = { ...node.metadata.annotations, ...annotations };
    if (options.isUnschedulable) node['spec'] = { ...fieldsAt(node, 'spec'), unschedulable: true };
    node['status'] = this.#createStatus(hostname, options);
    return store.write(NODES, omitEmptyFields(node));
  }

  /** `Unknown`: the kubelet is unresponsive. `False`: it reports not ready. */
  notReady(name: string, status: 'Unknown' | 'False'): void {
    this.#setReady(name, status);
  }

  ready(name: string): void {
    this.#setReady(name, 'True');
  }

  reboot(name: string, bootId: string): void {
    this.#change(name, node => {
      const status = fieldsAt(node, 'status');
      node['status'] = { ...status, nodeInfo: { ...fieldsAt(status, 'nodeInfo'), bootID: bootId } };
    });
    this.ready(name);
  }

  #setReady(name: string, status: 'True' | 'False' | 'Unknown'): void {
    this.#change(name, node => {
      node['status'] = { ...fieldsAt(node, 'status'), conditions: this.#conditions(status, node) };
      const spec = fieldsAt(node, 'spec');
      const others = listAt(spec, 'taints').filter(taint => textAt(taint, 'key') !== UNREACHABLE);
      const unreachableTaints = ['NoSchedule', 'NoExecute'].map(effect => ({ key: UNREACHABLE, effect }));
      node['spec'] = { ...spec, taints: [...others, ...(status === 'Unknown' ? unreachableTaints : [])] };
    });
  }

  #change(name: string, change: (node: KubeObject) => void): void {
    const node = this.#cluster.store.get(NODES, '', name);
    if (node === undefined) throw new Error(`no kubelet was started for ${name}`);
    change(node);
    this.#cluster.store.write(NODES, omitEmptyFields(node));
  }

  #createStatus(hostname: string, options: KubeletOptions): Fields {
    const capacity = { ...CAPACITY, ...options.capacity };
    return {
      addresses: [
        { type: 'InternalIP', address: options.address },
        { type: 'Hostname', address: hostname },
      ],
      capacity,
      allocatable: capacity,
      conditions: this.#conditions((options.isReady ?? true) ? 'True' : 'False'),
      nodeInfo: {
        machineID: options.machineId ?? randomUUID().replaceAll('-', ''),
        systemUUID: randomUUID(),
        bootID: options.bootId ?? randomUUID(),
        kernelVersion: '6.1.0-21-amd64',
        osImage: options.osImage ?? 'Debian GNU/Linux 12 (bookworm)',
        containerRuntimeVersion: 'containerd://1.6.20',
        kubeletVersion: options.kubeletVersion ?? `v1.${this.#cluster.minor}.2`,
        kubeProxyVersion: options.kubeletVersion ?? `v1.${this.#cluster.minor}.2`,
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    };
  }

  /** An unresponsive kubelet keeps its last heartbeat time. */
  #conditions(ready: 'True' | 'False' | 'Unknown', before?: KubeObject): Fields[] {
    const now = formatTime(this.#cluster.clock.now());
    const [lastHeartbeat] = listAt(before, 'status', 'conditions').map(condition =>
      textAt(condition, 'lastHeartbeatTime'),
    );
    const times = {
      lastHeartbeatTime: ready === 'Unknown' ? (lastHeartbeat ?? now) : now,
      lastTransitionTime: now,
    };
    const silent = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
    const [isReady, isUnknown] = [ready === 'True', ready === 'Unknown'];
    const pressure = isUnknown ? silent : { reason: 'KubeletIsFine', message: 'kubelet has no pressure' };
    const state = isReady
      ? { reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { reason: 'KubeletNotReady', message: 'container runtime network not ready' };
    return [
      ...PRESSURES.map(type => ({ type, status: isUnknown ? 'Unknown' : 'False', ...times, ...pressure })),
      { type: 'Ready', status: ready, ...times, ...(isUnknown ? silent : state) },
    ];
  }
}
